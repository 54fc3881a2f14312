// Starts the language server of pakbox. Everything else is the server's.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const settings = vscode.workspace.getConfiguration("simutrans");
  client = new LanguageClient(
    "simutrans",
    "Simutrans",
    { command: settings.get("pakbox"), args: ["simutrans", "lsp"] },
    {
      documentSelector: [{ scheme: "file", language: "simutrans" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{dat,png}") },
      initializationOptions: {
        target: settings.get("target"),
        cell: settings.get("cell"),
        pakset: settings.get("pakset"),
      },
    },
  );
  return client.start();
};

exports.deactivate = () => client?.stop();
