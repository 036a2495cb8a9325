// Starts `chic lsp` for the files of Chi, and connects the editor with it.
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function makeClient() {
  const settings = workspace.getConfiguration("chi");
  const folders = settings.get("includeFolders", []).flatMap((folder) => ["-I", folder]);
  const server = { command: settings.get("chic", "chic"), args: ["lsp", ...folders] };
  return new LanguageClient("chi", "Chi", server, {
    documentSelector: [{ scheme: "file", language: "chi" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.chi") },
  });
}

async function start() {
  client = makeClient();
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(
      `Chi: the language server does not start: ${error.message}. ` +
        "The setting chi.chic names the compiler."
    );
  }
}

async function stop() {
  const last = client;
  client = undefined;
  if (last && last.isRunning()) await last.stop();
}

async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("chi.restart", async () => {
      await stop();
      await start();
    }),
    workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("chi.chic") || event.affectsConfiguration("chi.includeFolders")) {
        await stop();
        await start();
      }
    })
  );
  await start();
}

module.exports = { activate, deactivate: stop };
