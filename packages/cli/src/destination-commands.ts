import type { Command } from 'commander'
import { listDestinations, pauseDestination, resumeDestination, showDestination } from './destinations.ts'
import { addConnectionOptions, createHelp, type RunCommand } from './options.ts'

/** Adds the commands for destinations. */
export function addDestinationCommands(program: Command, run: RunCommand): void {
  const destinations = program.command('destinations').summary('show destinations, and pause and resume them')
  addConnectionOptions(destinations.command('list', { isDefault: true }))
    .description('Lists the services that receive deliveries or events.')
    .option('--watch', 'print again every two seconds, until Ctrl-C')
    .addHelpText('after', createHelp('destinations', 'destinations --watch'))
    .action(run(listDestinations))
  addConnectionOptions(destinations.command('show'))
    .description('Shows a destination with its limits and its circuit breaker.')
    .argument('<name>', 'the name of a destination')
    .addHelpText('after', createHelp('destinations show billing'))
    .action(run(showDestination))
  addConnectionOptions(destinations.command('pause'))
    .description('Stops the requests to a destination. Its events wait until it is resumed.')
    .argument('<name>', 'the name of a destination')
    .option('--reason <text>', 'the reason, which other operators and the audit log show')
    .addHelpText('after', createHelp('destinations pause billing --reason "maintenance until 14:00"'))
    .action(run(pauseDestination))
  addConnectionOptions(destinations.command('resume'))
    .description('Continues the requests to a paused destination.')
    .argument('<name>', 'the name of a destination')
    .addHelpText('after', createHelp('destinations resume billing'))
    .action(run(resumeDestination))
}
