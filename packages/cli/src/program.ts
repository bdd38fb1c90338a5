import tab from '@bomb.sh/tab/commander'
import { Command, CommanderError } from 'commander'
import { deliveries } from './deliveries.ts'
import { addFilterOptions } from './filters.ts'
import { CommandError, success, usage, type Io } from './io.ts'
import { login, logout, printToken } from './login.ts'
import { addOperationsCommands } from './operations-commands.ts'
import { addConnectionOptions, apiUrl, tokenHelp, type CliCommand, type RunCommand } from './options.ts'
import { replay } from './replay.ts'

/**
 * Runs the command line.
 *
 * @param argv - the arguments without the path of the program
 * @returns the exit code: 0 for success, 1 for a delivery that was rejected or not sent, 2 for invalid usage
 */
export async function run(argv: readonly string[], version: string, io: Io): Promise<number> {
  let exitCode: number = success
  const run: RunCommand =
    <Args extends readonly unknown[]>(command: CliCommand<Args>) =>
    async (...given: readonly [...Args, Command]) => {
      exitCode = await command(...(given.slice(0, -1) as unknown as Args), io)
    }
  // The commands with providers need more modules than the others.
  const load = <Args extends readonly unknown[]>(importCommand: () => Promise<CliCommand<Args>>) =>
    run<Args>(async (...given) => (await importCommand())(...given))
  // All providers take most of the start-up time. The help of `send` and the completion list them.
  const listed = argv.some((word) => listingWords.has(word)) ? await import('./provider.ts') : undefined
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
    .command('dev')
    .summary('receive webhooks on this machine')
    .description('Starts a gateway on localhost with generated secrets and the console, until Ctrl-C.')
    .argument('<providers...>', 'the names of the providers')
    .option('--to <url>', 'sends events to your server, as CloudEvents (default: events are printed)')
    .option('-p, --port <port>', 'the port (default: $PORT, or 3111)')
    .option('--public-url <url>', 'the address of a tunnel, for services that sign the URL')
    .addHelpText('after', devHelp)
    .action(load(async () => (await import('./dev/dev.ts')).dev))

  program
    .command('send')
    .summary('send a signed test delivery')
    .description('Sends a test delivery that is signed like one of the provider, and prints the outcome.')
    .argument('<provider>', 'the name of the provider')
    .argument('[kind]', 'the kind of event; not with --raw')
    .option(
      '-p, --payload <file>',
      'a JSON file to send as { type, payload } instead of a sample; - for standard input',
    )
    .option(
      '-u, --url <url>',
      'the exact URL of the webhook, or the origin of the server (default: http://localhost:$PORT, or port 3111)',
    )
    .option('--endpoint <id>', 'an endpoint of the server: /webhooks/<provider>/<id>')
    .option('--raw <file>', 'a recorded body to send as it is, newly signed; - for standard input')
    .option('--headers <file>', 'the headers of the recorded body, as of sallyport export')
    .option('-f, --fresh', 'send another event, which is not a duplicate')
    .addHelpText('after', createSendHelp(listed?.listProviders() ?? []))
    .action(load(async () => (await import('./send.ts')).send))

  addFilterOptions(addConnectionOptions(program.command('deliveries')))
    .summary('show received deliveries')
    .description('Shows deliveries, newest first, or one of them with its events and their attempts.')
    .argument('[id]', 'the id of a delivery')
    .option('-n, --limit <count>', 'the maximum number, up to 100 (default: 20)')
    .action(run(deliveries))

  addFilterOptions(addConnectionOptions(program.command('replay')))
    .summary('publish deliveries again')
    .description('Replays one delivery or all that match. Quarantined deliveries are normalized again.')
    .argument('[id]', 'the id of a delivery')
    .option('--as-new', 'publish under new ids, so that consumers process the events again')
    .option('--reprocess', 'handle the events again under their ids, also where a consumer has recorded them')
    .option('--all', 'all deliveries')
    .option('--dry-run', 'count the deliveries, and replay none')
    .addHelpText('after', replayHelp)
    .action(run(replay))

  program
    .command('verify')
    .summary('explain why a captured request does not verify')
    .description('Verifies the signature of a captured request, and prints one sentence per mistake.')
    .requiredOption('--provider <name>', 'the name of the provider')
    .requiredOption('--headers <file>', 'the headers: a line "name: value" each, or a JSON object')
    .requiredOption('--body <file>', 'the body with its original bytes; - for standard input')
    .option(
      '--secret-file <file>',
      'one secret per line, or a JSON array (default: the source of the server)',
    )
    .option('--url <url>', 'the public address, for a service that signs the address')
    .option('--at <time>', 'when the request arrived (default: now)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', verifyHelp)
    .action(load(async () => (await import('./verify.ts')).verify))

  program
    .command('forward')
    .summary('send recorded deliveries to a local server')
    .description(
      'Sends deliveries that a server has recorded to a local server, signed with a secret of this machine.',
    )
    .requiredOption('--to <url>', 'the local address; {provider} is replaced by the name of the provider')
    .option('--from <url>', 'the server that records deliveries (default: $SALLYPORT_URL, or the login)')
    .option('--token <token>', tokenHelp)
    .option('--provider <name>', 'only deliveries of this provider')
    .option('--endpoint <id>', 'only deliveries of this endpoint')
    .option('--kind <kind>', 'only deliveries of this kind; a trailing * matches a prefix')
    .option('--since <time>', 'the deliveries since then: 30m, 1h, 7d or a time')
    .option('--id <delivery>', 'one delivery')
    .option('--follow', 'new deliveries as they arrive; the default without --since and --id')
    .option('--json', 'print a line of JSON per delivery')
    .addHelpText('after', forwardHelp)
    .action(load(async () => (await import('./forward/forward.ts')).forward))

  program
    .command('export')
    .summary('write a recorded delivery to files')
    .description('Writes the headers, the body and a sample for the folder of a provider.')
    .argument('<delivery>', 'the id of a delivery')
    .option('-o, --output <folder>', 'where the files are written', '.')
    .option('-u, --url <url>', apiUrl)
    .option('--token <token>', tokenHelp)
    .addHelpText('after', exportHelp)
    .action(load(async () => (await import('./export.ts')).exportDelivery))

  program
    .command('login')
    .summary('store a session or an API key for the other commands')
    .description('Asks for an e-mail address and a password, or for an API key, and stores the credential.')
    .option('-u, --url <url>', "the server's address (default: $SALLYPORT_URL, or localhost)")
    .option('--email <address>', 'the e-mail address')
    .option('--key', 'ask for an API key instead')
    .option('--development', 'use the admin that a development server generated in DATA_DIR')
    .addHelpText('after', loginHelp)
    .action(run(login))

  program
    .command('token')
    .summary('print the token of the login, for curl')
    .option('-u, --url <url>', apiUrl)
    .action(run(printToken))

  program
    .command('logout')
    .summary('end the session and remove the credential')
    .option('-u, --url <url>', apiUrl)
    .action(run(logout))

  program
    .command('mcp')
    .summary('let an assistant ask the server')
    .description(
      'Answers an assistant on standard input and output, by the Model Context Protocol. The assistant starts the command.',
    )
    .option('-u, --url <url>', apiUrl)
    .option('--token <token>', tokenHelp)
    .option('--allow-changes', 'offer also tools that replay, pause and send test deliveries')
    .addHelpText('after', mcpHelp)
    .action(load(async () => (await import('./mcp.ts')).mcp))

  addOperationsCommands(program, run)

  const completion = tab(program, { completionCommandName: 'completion' })
  for (const name of ['send', 'dev'])
    completion.commands.get(name)?.argument(
      name === 'send' ? 'provider' : 'providers',
      (complete) => {
        for (const name of listed?.listProviderNames() ?? []) complete(name, '')
      },
      name === 'dev',
    )

  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has already printed its message. Help and version end with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? success : usage
    if (!(error instanceof CommandError)) throw error
    io.err(error.message)
    for (const hint of error.hints) io.err(`  ${hint}`)
    return error.exitCode
  }
}

const listingWords: ReadonlySet<string> = new Set(['send', 'complete', 'completion'])

const createSendHelp = (providers: readonly string[]) => `
Providers and their kinds:
${providers.map((line) => `  ${line}\n`).join('')}
and those of the modules in PROVIDER_MODULES, which replace built-in ones of the same name. New providers have no samples and
need --payload.

The secret comes from the same source as on the server, in this order: WEBHOOK_SECRET_<PROVIDER> (the first of several
signs), the file of that name in SECRETS_DIR, the output of SECRETS_COMMAND, secrets.json in DATA_DIR (./data). Then the
secret that sallyport dev generated.

Exit codes: 0 accepted or duplicate, 1 rejected or not reached, 2 nothing was sent.

Examples:
  sallyport send codehost workflow_run.completed
  sallyport send codehost workflow_run.completed --fresh
  sallyport send github --raw delivery.body --headers delivery.headers
  echo '{"package":"example"}' | sallyport send codehost package.published --payload -`

const devHelp = `
Verified events are printed, or sent to --to. Everything is kept in memory. The secret of a provider comes from the same
source as on the server, otherwise it is generated and kept for the next time. sallyport send signs with the same secret.

Exit codes: 0 ended by Ctrl-C, 2 an argument is invalid, a secret is missing, or another program uses the port.

Examples:
  sallyport dev github stripe
  sallyport dev github --to http://localhost:3000/events
  sallyport send github push
`

const replayHelp = `
The server replays the deliveries that match as a job, which continues after a restart of the server. Ctrl-C cancels the job.

Exit codes: 0 replayed, 1 canceled, failed, or a delivery stays in quarantine, 2 an argument is invalid.

Examples:
  sallyport replay 01890a5d-ac96-774b-bcce-b302099a8057
  sallyport replay --status dead --provider github --since 1h --dry-run
  sallyport replay --status quarantined
`

const verifyHelp = `
No secret is printed.

Exit codes: 0 the signature is valid, 1 the signature is not valid, 2 an argument or a file is invalid.

Examples:
  sallyport verify --provider github --secret-file secret.txt --headers headers.txt --body body.json
  sallyport verify --provider stripe --headers headers.txt --body body.json --at 2026-01-31T12:00:00Z
`

const loginHelp = `
The credential is stored in credentials.json of SALLYPORT_CONFIG_DIR, or of sallyport in the configuration of the user.
Only the user can read the file. Without a terminal, the command reads one line per answer from standard input.

Exit codes: 0 logged in, 1 rejected or not reached, 2 an argument is invalid.

Examples:
  sallyport login --url https://hooks.example.com
  sallyport login --url https://hooks.example.com --key < key.txt
  sallyport login --development
`

const forwardHelp = `
The command prints the secret that the local server needs, and keeps the secret for the next time. The secret of the
service stays on the server. After a lost connection, no delivery is missing and none is sent twice.

Exit codes: 0 all forwarded, or ended by Ctrl-C; 1 a delivery failed, or the server is not reached; 2 an argument is invalid.

Examples:
  sallyport forward --from https://hooks.example.com --to http://localhost:3000/webhooks/github --provider github
  sallyport forward --to http://localhost:3000/webhooks/{provider} --since 1h --follow
  sallyport forward --to http://localhost:3000/webhooks/github --id 01890a5d-ac96-774b-bcce-b302099a8057
`

const mcpHelp = `
The assistant uses the login of the user, or SALLYPORT_KEY. An API key with the scopes that it needs is safer than the
login of an admin.

Exit codes: 0 the assistant ended, 1 a message is too long, 2 an argument is invalid.

Examples:
  sallyport mcp --url https://hooks.example.com
  sallyport mcp --allow-changes
`

const exportHelp = `
Credentials and signatures are not recorded, so the headers have none. sallyport send --raw signs the body anew.

Exit codes: 0 written, 1 rejected or not reached, or the body is erased, 2 an argument is invalid.

Examples:
  sallyport export 01890a5d-ac96-774b-bcce-b302099a8057 --output captured
`
