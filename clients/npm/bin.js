#!/usr/bin/env node
import { spawnSync } from "node:child_process";
import { executable } from "./executable.js";

const program = executable();
if (!program || process.env.PAKBOX_STARTED) {
  console.error(`pakbox: the command of the package @pakbox/${process.platform}-${process.arch} was not found`);
  console.error("pakbox: hint: install that package beside pakbox, or set PAKBOX to the path of the command");
  process.exit(3);
}
const env = { ...process.env, PAKBOX_STARTED: "1" };
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit", env });
if (error) throw error;
if (signal) process.kill(process.pid, signal);
process.exitCode = status;
