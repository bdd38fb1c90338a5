import type { Command } from 'commander'

export const tokenHelp =
  'an API key or access token, visible to other users (default: $SALLYPORT_KEY, or the login)'
export const apiUrl = "the server's address (default: $SALLYPORT_URL, the server of the login, or localhost)"

/** Adds the options of a command that requests the API. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('-u, --url <url>', apiUrl)
    .option('--token <token>', tokenHelp)
    .option('--json', 'print the response as JSON')
}
