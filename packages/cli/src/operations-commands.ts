import type { Command } from 'commander'
import { cancel } from './cancel.ts'
import { addConsumerCommands } from './consumer-commands.ts'
import { addSubscriptionCommands } from './subscription-commands.ts'
import { erase } from './erase.ts'
import type { Io } from './io.ts'
import { createKey, deleteKey } from './keys.ts'
import { addDestinationCommands } from './destination-commands.ts'
import { addLaneCommands } from './lane-commands.ts'
import { auditList, failuresList, keysList, printList, processesList, type ListOptions } from './lists.ts'
import { addEndpointCommands } from './endpoint-commands.ts'
import { addFilterOptions, createStatusOption, omitUndefined } from './filters.ts'
import { parseTime } from './parse-time.ts'
import { addConnectionOptions, addListOptions, createHelp, type RunCommand } from './options.ts'
import { reconcile } from './reconcile.ts'
import { retry } from './retry.ts'
import { search } from './search.ts'
import { printStatus } from './status.ts'
import { tail } from './tail.ts'
import { addUnprocessedCommands } from './unprocessed-commands.ts'

interface AuditOptions extends ListOptions {
  readonly actor?: string
  readonly action?: string
  readonly target?: string
  readonly since?: string
}

/** Adds the commands that watch and change a running server. */
export function addOperationsCommands(program: Command, run: RunCommand): void {
  addConnectionOptions(program.command('tail'))
    .summary('print deliveries as they arrive')
    .description('Prints deliveries as the server records them. A lost connection is opened again.')
    .addOption(createStatusOption())
    .option('--provider <name>', 'only deliveries of this provider')
    .option('--endpoint <id>', 'only deliveries of this endpoint')
    .option('--kind <kind>', 'only deliveries of this kind; a trailing * matches a prefix')
    .option('--since <time>', 'start with the deliveries since then: 30m, 1h, 7d or a time')
    .addHelpText('after', createHelp('tail --provider github', "tail --kind 'pull_request.*' --json"))
    .action(run(tail))

  addConnectionOptions(program.command('retry'))
    .summary('retry waiting events now')
    .description('Makes events due now that wait for another attempt. Dead events need a replay.')
    .argument('[id]', 'the id of a delivery')
    .option('--provider <name>', 'the events of this provider')
    .option('--endpoint <id>', 'the events of this endpoint')
    .option('--kind <kind>', 'the events of this kind; a trailing * matches a prefix')
    .option('--all', 'all events')
    .addHelpText('after', createHelp('retry --provider github', 'retry --all'))
    .action(run(retry))

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
    .action(run(reconcile))

  addFilterOptions(addConnectionOptions(program.command('cancel')))
    .summary('cancel pending events')
    .description('Makes pending events that match dead letters, which a replay publishes again.')
    .option('--all', 'all pending events')
    .addHelpText('after', createHelp('cancel --endpoint acme', 'cancel --provider github --kind push'))
    .action(run(cancel))

  addFilterOptions(addConnectionOptions(program.command('search')))
    .summary('find deliveries by a text in their bodies')
    .description(
      'Reads stored bodies, newest first, within a bound of time and deliveries. Ids and search paths are found faster with deliveries --text.',
    )
    .argument('<text>', 'the text in the body')
    .addHelpText('after', createHelp('search a@example.com', 'search 4711 --provider shopify --until 2d'))
    .action(run(search))

  addFilterOptions(addConnectionOptions(program.command('erase')))
    .summary('erase deliveries for good')
    .description('Cancels the pending events of deliveries that match, and erases their content. Ids stay.')
    .option('--all', 'all deliveries')
    .option('--dry-run', 'count the deliveries, and erase none')
    .option('--yes', 'confirms that the erasure cannot be undone')
    .addHelpText('after', createHelp('erase --endpoint acme --yes', 'erase --value a@example.com --dry-run'))
    .action(run(erase))

  addListOptions(program.command('failures'))
    .summary('list deliveries that need attention')
    .description(
      'Lists dead deliveries, deliveries in quarantine, and deliveries with an event that waits for another attempt.',
    )
    .option('--provider <name>', 'only deliveries of this provider')
    .option('--endpoint <id>', 'only deliveries of this endpoint')
    .addHelpText('after', createHelp('failures', 'failures --provider github --watch'))
    .action(run((options: ListOptions, io: Io) => printList(failuresList, options, io)))

  addListOptions(program.command('audit'))
    .summary('list what operators did')
    .description('Lists the actions of operators, newest first.')
    .option('--actor <id>', 'only actions of this operator')
    .option('--action <name>', 'only these actions, such as endpoint.delete')
    .option('--target <id>', 'only actions on this resource')
    .option('--since <time>', 'since then: 30m, 1h, 7d or a time')
    .addHelpText('after', createHelp('audit --since 7d', 'audit --action deliveries.erase --json'))
    .action(
      run(({ actor, action, target, since, ...options }: AuditOptions, io: Io) => {
        const filters = { actor, action, target, createdAfter: since && parseTime(since, io.now()) }
        return printList(auditList, { ...options, query: omitUndefined(filters) }, io)
      }),
    )

  addEndpointCommands(program, run)
  addSubscriptionCommands(program, run)
  addUnprocessedCommands(program, run)
  addConsumerCommands(program, run)
  addLaneCommands(program, run)
  addDestinationCommands(program, run)

  const keys = program.command('keys').summary('list, create and delete API keys')
  addListOptions(keys.command('list', { isDefault: true }))
    .description('Lists API keys, without their secrets.')
    .addHelpText('after', createHelp('keys', 'keys --json'))
    .action(run((options: ListOptions, io: Io) => printList(keysList, options, io)))
  addConnectionOptions(keys.command('create'))
    .description('Creates an API key. Standard output has the key only, which is shown once.')
    .argument('<name>', 'a name for people')
    .requiredOption('--scope <scope...>', 'a part of the API, such as deliveries:read')
    .option('--endpoints <labels>', 'limits the key to endpoints with labels, such as region=eu')
    .option('--expires <time>', 'when the key expires: 30d, a time, or never (default: 90d)')
    .addHelpText('after', createHelp('keys create CI --scope deliveries:read replays:write'))
    .action(run(createKey))
  addConnectionOptions(keys.command('delete'))
    .description('Deletes an API key and the keys that it created.')
    .argument('<id>', 'the id of a key')
    .addHelpText('after', createHelp('keys delete 01890a5d-ac96-774b-bcce-b302099a8057'))
    .action(run(deleteKey))

  addListOptions(program.command('processes'))
    .summary('list the processes of the server')
    .description('Lists every process that shares the database, with the dependencies that it sees failing.')
    .addHelpText('after', createHelp('processes', 'processes --watch'))
    .action(run((options: ListOptions, io: Io) => printList(processesList, options, io)))

  addConnectionOptions(program.command('status'))
    .summary('show the state of the server')
    .description('Shows dependencies, notices and the numbers of events.')
    .option('--watch', 'print again every two seconds, until Ctrl-C')
    .addHelpText('after', createHelp('status', 'status --watch'))
    .action(run(printStatus))
}
