import { Option, type Command } from 'commander'
import { addConnectionOptions, addListOptions, createHelp, type RunCommand } from './options.ts'
import { explainUnprocessed, listUnprocessed, replayUnprocessed, showUnprocessed } from './unprocessed.ts'

const addFilters = (command: Command): Command =>
  command
    .addOption(
      new Option('--outcome <outcome>', 'only ignored or refused deliveries').choices(['ignored', 'refused']),
    )
    .option('--provider <name>', 'only deliveries of this provider')
    .option('--endpoint <id>', 'only deliveries of this endpoint')
    .option('--kind <kind>', 'only ignored deliveries of this kind')
    .option('--reason <code>', 'why the signature was rejected, such as mismatch, expired or blocked')
    .option('--value <value>', 'an id of the service, a request id or a value at a search path')
    .option('--since <time>', 'received since then: 30m, 1h, 7d or a time')
    .option('--until <time>', 'received before then')

/** Adds the commands for ignored and refused deliveries. */
export function addUnprocessedCommands(program: Command, run: RunCommand): void {
  const unprocessed = program
    .command('unprocessed')
    .summary('show ignored and refused deliveries, and process them again')
  addFilters(addListOptions(unprocessed.command('list', { isDefault: true })))
    .description('Lists deliveries of kinds that no provider handles, and those without a valid signature.')
    .addHelpText('after', createHelp('unprocessed', 'unprocessed --outcome refused --since 1h'))
    .action(run(listUnprocessed))
  addConnectionOptions(unprocessed.command('show'))
    .description('Shows one of them with its headers and its body.')
    .argument('<id>', 'the id of a delivery')
    .addHelpText('after', createHelp('unprocessed show 01890a5d-ac96-774b-bcce-b302099a8057'))
    .action(run(showUnprocessed))
  addConnectionOptions(unprocessed.command('explain'))
    .description('Explains why the signature of a refused delivery is not valid.')
    .argument('<id>', 'the id of a delivery')
    .addHelpText('after', createHelp('unprocessed explain 01890a5d-ac96-774b-bcce-b302099a8057'))
    .action(run(explainUnprocessed))
  addFilters(addConnectionOptions(unprocessed.command('replay')))
    .description('Verifies refused deliveries with the current secrets, and normalizes ignored ones again.')
    .argument('[id]', 'the id of a delivery')
    .option('--all', 'all kept deliveries')
    .addHelpText('after', createHelp('unprocessed replay --outcome refused --provider github --since 2h'))
    .action(run(replayUnprocessed))
}
