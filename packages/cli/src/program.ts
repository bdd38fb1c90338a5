import { Command, CommanderError, Option } from 'commander'
import { deliveries, type DeliveriesOptions } from './deliveries.ts'
import { CommandError, success, usage, type Io } from './io.ts'
import { replay, type ReplayOptions } from './replay.ts'
import { listOfProviders, send, type SendOptions } from './send.ts'

/**
 * Runs the command line.
 *
 * @param argv - the arguments, without those that started the program
 * @returns the exit code: 0 for success, 1 for a delivery that was refused or did not arrive, 2 when nothing was sent
 */
export async function run(argv: readonly string[], version: string, io: Io): Promise<number> {
  let exitCode: number = success
  const program = new Command('sallyport')
    .description('Tools for a Sallyport webhook gateway')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(add --help for the arguments)')
    .configureOutput({
      writeOut: (text) => {
        io.out(text.trimEnd())
      },
      writeErr: (text) => {
        io.err(text.trimEnd())
      },
    })

  program
    .command('send')
    .summary('send a signed test delivery')
    .description('Sends a test delivery, signed as the provider does, and tells what became of it.')
    .argument('<provider>', 'the name of the provider')
    .argument('<kind>', 'the kind of event')
    .option(
      '-p, --payload <file>',
      'JSON to send as { type, payload } instead of a real sample; - for standard input',
    )
    .option('-u, --url <url>', "the server's address (default: http://localhost:$PORT, or port 3111)")
    .option('-f, --fresh', 'send it as another event, so that it is not a duplicate')
    .addHelpText('after', helpText)
    .action(async (provider: string, kind: string, options: SendOptions) => {
      exitCode = await send(provider, kind, options, io)
    })

  asksApi(program.command('deliveries'))
    .summary('show what was received')
    .description('Shows deliveries, newest first, or one of them with its events and their attempts.')
    .argument('[id]', 'the id of a delivery')
    .option('-n, --limit <count>', 'how many at most, up to 100 (default: 20)')
    .action(async (id: string | undefined, options: DeliveriesOptions) => {
      exitCode = await deliveries(id, options, io)
    })

  asksApi(program.command('replay'))
    .summary('publish deliveries again')
    .description('Replays a delivery, or all that match; what is in quarantine is normalized anew.')
    .argument('[id]', 'the id of a delivery')
    .option('--as-new', 'under fresh ids, so that consumers take the events for new ones')
    .option('--after <cursor>', 'go on where a replay of many ended early, as it said')
    .action(async (id: string | undefined, options: ReplayOptions) => {
      exitCode = await replay(id, options, io)
    })

  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has written its message already; help and version end in an error of exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? success : usage
    if (!(error instanceof CommandError)) throw error
    io.err(error.message)
    for (const hint of error.hints) io.err(`  ${hint}`)
    return error.exitCode
  }
}

/** The options of a command that asks the server's API about deliveries. */
function asksApi(command: Command): Command {
  return command
    .addOption(
      new Option('-s, --status <status>', 'only deliveries that stand so').choices([
        'pending',
        'queued',
        'published',
        'quarantined',
        'dead',
      ]),
    )
    .option('--provider <name>', 'only those of a provider')
    .option('-u, --url <url>', "the server's address (default: http://localhost:$PORT, or port 3111)")
    .option(
      '--token <token>',
      'the access token of an admin (default: $SALLYPORT_TOKEN, which others cannot see)',
    )
    .option('--json', 'print what the API answers')
}

const helpText = `
Providers and their kinds:
${listOfProviders()
  .map((line) => `  ${line}\n`)
  .join('')}
and those of the modules that PROVIDER_MODULES names, as for the server; they have no samples, but take --payload.

The secret comes from where the server has it: WEBHOOK_SECRET_<PROVIDER> (of several, the first signs), the file of
that name in SECRETS_DIR, what SECRETS_COMMAND prints, or secrets.json in DATA_DIR (./data).

Exit codes: 0 accepted or a duplicate, 1 refused or not reached, 2 nothing was sent.

Examples:
  sallyport send codehost workflow_run.completed
  sallyport send codehost workflow_run.completed --fresh
  echo '{"package":"example"}' | sallyport send codehost package.published --payload -`
