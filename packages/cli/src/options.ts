import type { Command } from 'commander'
import type { Io } from './io.ts'

/** A command with its arguments and its options. It returns the exit code. */
export type CliCommand<Args extends readonly unknown[]> = (
  ...given: readonly [...Args, Io]
) => Promise<number>

/** Returns the action that runs a command. */
export type RunCommand = <Args extends readonly unknown[]>(
  command: CliCommand<Args>,
) => (...given: readonly [...Args, Command]) => Promise<void>

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

/** Adds the options of a list. */
export const addListOptions = (command: Command): Command =>
  addConnectionOptions(command)
    .option('-n, --limit <count>', 'the maximum number of each list, up to 100 (default: 20)')
    .option('--watch', 'print again every two seconds, until Ctrl-C')

/** Creates the end of a help text, from commands without the name of the program. */
export const createHelp = (...examples: readonly string[]): string => `
Exit codes: 0 done, or ended by Ctrl-C; 1 rejected or not reached; 2 an argument is invalid, or there is no login.

Examples:
${examples.map((example) => `  sallyport ${example}`).join('\n')}
`
