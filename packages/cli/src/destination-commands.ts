import type { Command } from 'commander'
import type { ApiOptions } from './api.ts'
import {
  listDestinations,
  pauseDestination,
  resumeDestination,
  showDestination,
  type ListDestinationsOptions,
  type PauseOptions,
} from './destinations.ts'
import type { Io } from './io.ts'
import { addConnectionOptions, createHelp } from './options.ts'

/**
 * Adds the commands for destinations.
 *
 * @param finish - receives the exit code of a command
 */
export function addDestinationCommands(program: Command, io: Io, finish: (exitCode: number) => void): void {
  const destinations = program.command('destinations').summary('show destinations, and pause and resume them')
  addConnectionOptions(destinations.command('list', { isDefault: true }))
    .description('Lists the services that receive deliveries or events.')
    .option('--watch', 'print again every two seconds, until Ctrl-C')
    .addHelpText('after', createHelp('destinations', 'destinations --watch'))
    .action(async (options: ListDestinationsOptions) => {
      finish(await listDestinations(options, io))
    })
  addConnectionOptions(destinations.command('show'))
    .description('Shows a destination with its limits and its circuit breaker.')
    .argument('<name>', 'the name of a destination')
    .addHelpText('after', createHelp('destinations show billing'))
    .action(async (name: string, options: ApiOptions) => {
      finish(await showDestination(name, options, io))
    })
  addConnectionOptions(destinations.command('pause'))
    .description('Stops the requests to a destination. Its events wait until it is resumed.')
    .argument('<name>', 'the name of a destination')
    .option('--reason <text>', 'the reason, which other operators and the audit log show')
    .addHelpText('after', createHelp('destinations pause billing --reason "maintenance until 14:00"'))
    .action(async (name: string, options: PauseOptions) => {
      finish(await pauseDestination(name, options, io))
    })
  addConnectionOptions(destinations.command('resume'))
    .description('Continues the requests to a paused destination.')
    .argument('<name>', 'the name of a destination')
    .addHelpText('after', createHelp('destinations resume billing'))
    .action(async (name: string, options: ApiOptions) => {
      finish(await resumeDestination(name, options, io))
    })
}
