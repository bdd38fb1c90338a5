import type { Command } from 'commander'
import type { ApiOptions } from './api.ts'
import { cancel, type CancelOptions } from './cancel.ts'
import { addConsumerCommands } from './consumer-commands.ts'
import { addSubscriptionCommands } from './subscription-commands.ts'
import { erase, type EraseOptions } from './erase.ts'
import type { Io } from './io.ts'
import { createKey, deleteKey, type CreateKeyOptions } from './keys.ts'
import { addDestinationCommands } from './destination-commands.ts'
import { addLaneCommands } from './lane-commands.ts'
import { auditList, failuresList, keysList, printList, processesList, type ListOptions } from './lists.ts'
import { addEndpointCommands } from './endpoint-commands.ts'
import { addFilterOptions, createStatusOption, omitUndefined } from './filters.ts'
import { parseTime } from './parse-time.ts'
import { addConnectionOptions, addListOptions, createHelp } from './options.ts'
import { reconcile, type ReconcileOptions } from './reconcile.ts'
import { retry, type RetryOptions } from './retry.ts'
import { search, type SearchOptions } from './search.ts'
import { printStatus, type StatusOptions } from './status.ts'
import { tail, type TailOptions } from './tail.ts'
import { addUnprocessedCommands } from './unprocessed-commands.ts'

interface AuditOptions extends ListOptions {
  readonly actor?: string
  readonly action?: string
  readonly target?: string
  readonly since?: string
}

/**
 * Adds the commands that watch and change a running server.
 *
 * @param finish - receives the exit code of a command
 */
export function addOperationsCommands(program: Command, io: Io, finish: (exitCode: number) => void): void {
  addConnectionOptions(program.command('tail'))
    .summary('print deliveries as they arrive')
    .description('Prints deliveries as the server records them. A lost connection is opened again.')
    .addOption(createStatusOption())
    .option('--provider <name>', 'only deliveries of this provider')
    .option('--endpoint <id>', 'only deliveries of this endpoint')
    .option('--kind <kind>', 'only deliveries of this kind; a trailing * matches a prefix')
    .option('--since <time>', 'start with the deliveries since then: 30m, 1h, 7d or a time')
    .addHelpText('after', createHelp('tail --provider github', "tail --kind 'pull_request.*' --json"))
    .action(async (options: TailOptions) => {
      finish(await tail(options, io))
    })

  addConnectionOptions(program.command('retry'))
    .summary('retry waiting events now')
    .description('Makes events due now that wait for another attempt. Dead events need a replay.')
    .argument('[id]', 'the id of a delivery')
    .option('--provider <name>', 'the events of this provider')
    .option('--endpoint <id>', 'the events of this endpoint')
    .option('--kind <kind>', 'the events of this kind; a trailing * matches a prefix')
    .option('--all', 'all events')
    .addHelpText('after', createHelp('retry --provider github', 'retry --all'))
    .action(async (id: string | undefined, options: RetryOptions) => {
      finish(await retry(id, options, io))
    })

  addConnectionOptions(program.command('reconcile'))
    .summary('recover what a service could not deliver')
    .description(
      'Compares what a service could not deliver with the inbox, and recovers what is missing. Without a source, lists the sources.',
    )
    .argument('[source]', 'the name of a source')
    .option(
      '--since <time>',
      'the start of the window: 30m, 2h, 7d or a time (default: the end of the last one)',
    )
    .option('--dry-run', 'count what is missing, and change nothing')
    .addHelpText('after', createHelp('reconcile', 'reconcile github --since 2h --dry-run'))
    .action(async (source: string | undefined, options: ReconcileOptions) => {
      finish(await reconcile(source, options, io))
    })

  addFilterOptions(addConnectionOptions(program.command('cancel')))
    .summary('cancel pending events')
    .description('Makes pending events that match dead letters, which a replay publishes again.')
    .option('--all', 'all pending events')
    .addHelpText('after', createHelp('cancel --endpoint acme', 'cancel --provider github --kind push'))
    .action(async (options: CancelOptions) => {
      finish(await cancel(options, io))
    })

  addFilterOptions(addConnectionOptions(program.command('search')))
    .summary('find deliveries by a text in their bodies')
    .description(
      'Reads stored bodies, newest first, within a bound of time and deliveries. Ids and search paths are found faster with deliveries --text.',
    )
    .argument('<text>', 'the text in the body')
    .addHelpText('after', createHelp('search a@example.com', 'search 4711 --provider shopify --until 2d'))
    .action(async (text: string, options: SearchOptions) => {
      finish(await search(text, options, io))
    })

  addFilterOptions(addConnectionOptions(program.command('erase')))
    .summary('erase deliveries for good')
    .description('Cancels the pending events of deliveries that match, and erases their content. Ids stay.')
    .option('--all', 'all deliveries')
    .option('--dry-run', 'count the deliveries, and erase none')
    .option('--yes', 'confirms that the erasure cannot be undone')
    .addHelpText('after', createHelp('erase --endpoint acme --yes', 'erase --value a@example.com --dry-run'))
    .action(async (options: EraseOptions) => {
      finish(await erase(options, io))
    })

  addListOptions(program.command('failures'))
    .summary('list deliveries that need attention')
    .description(
      'Lists dead deliveries, deliveries in quarantine, and deliveries with an event that waits for another attempt.',
    )
    .option('--provider <name>', 'only deliveries of this provider')
    .option('--endpoint <id>', 'only deliveries of this endpoint')
    .addHelpText('after', createHelp('failures', 'failures --provider github --watch'))
    .action(async (options: ListOptions) => {
      finish(await printList(failuresList, options, io))
    })

  addListOptions(program.command('audit'))
    .summary('list what operators did')
    .description('Lists the actions of operators, newest first.')
    .option('--actor <id>', 'only actions of this operator')
    .option('--action <name>', 'only these actions, such as endpoint.delete')
    .option('--target <id>', 'only actions on this resource')
    .option('--since <time>', 'since then: 30m, 1h, 7d or a time')
    .addHelpText('after', createHelp('audit --since 7d', 'audit --action deliveries.erase --json'))
    .action(async ({ actor, action, target, since, ...options }: AuditOptions) => {
      const filters = { actor, action, target, createdAfter: since && parseTime(since, io.now()) }
      finish(await printList(auditList, { ...options, query: omitUndefined(filters) }, io))
    })

  addEndpointCommands(program, io, finish)
  addSubscriptionCommands(program, io, finish)
  addUnprocessedCommands(program, io, finish)
  addConsumerCommands(program, io, finish)
  addLaneCommands(program, io, finish)
  addDestinationCommands(program, io, finish)

  const keys = program.command('keys').summary('list, create and delete API keys')
  addListOptions(keys.command('list', { isDefault: true }))
    .description('Lists API keys, without their secrets.')
    .addHelpText('after', createHelp('keys', 'keys --json'))
    .action(async (options: ListOptions) => {
      finish(await printList(keysList, options, io))
    })
  addConnectionOptions(keys.command('create'))
    .description('Creates an API key. Standard output has the key only, which is shown once.')
    .argument('<name>', 'a name for people')
    .requiredOption('--scope <scope...>', 'a part of the API, such as deliveries:read')
    .option('--endpoints <labels>', 'limits the key to endpoints with labels, such as region=eu')
    .option('--expires <time>', 'when the key expires: 30d, a time, or never (default: 90d)')
    .addHelpText('after', createHelp('keys create CI --scope deliveries:read replays:write'))
    .action(async (name: string, options: CreateKeyOptions) => {
      finish(await createKey(name, options, io))
    })
  addConnectionOptions(keys.command('delete'))
    .description('Deletes an API key and the keys that it created.')
    .argument('<id>', 'the id of a key')
    .addHelpText('after', createHelp('keys delete 01890a5d-ac96-774b-bcce-b302099a8057'))
    .action(async (id: string, options: ApiOptions) => {
      finish(await deleteKey(id, options, io))
    })

  addListOptions(program.command('processes'))
    .summary('list the processes of the server')
    .description('Lists every process that shares the database, with the dependencies that it sees failing.')
    .addHelpText('after', createHelp('processes', 'processes --watch'))
    .action(async (options: ListOptions) => {
      finish(await printList(processesList, options, io))
    })

  addConnectionOptions(program.command('status'))
    .summary('show the state of the server')
    .description('Shows dependencies, notices and the numbers of events.')
    .option('--watch', 'print again every two seconds, until Ctrl-C')
    .addHelpText('after', createHelp('status', 'status --watch'))
    .action(async (options: StatusOptions) => {
      finish(await printStatus(options, io))
    })
}
