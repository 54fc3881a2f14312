#!/usr/bin/env node
import { spawnSync } from "node:child_process";
import { executable } from "./executable.js";

const { status, signal, error } = spawnSync(executable(), process.argv.slice(2), { stdio: "inherit" });
if (error) throw error;
if (signal) process.kill(process.pid, signal);
process.exitCode = status;
