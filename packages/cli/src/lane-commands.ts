import { Option, type Command } from 'commander'
import type { ApiOptions } from './api.ts'
import type { Io } from './io.ts'
import {
  cancelLane,
  listLanes,
  pauseLane,
  resumeLane,
  retryLaneHead,
  showLane,
  skipLaneHead,
} from './lanes.ts'
import { addConnectionOptions, addListOptions, createHelp, type RunCommand } from './options.ts'

type Change = (name: string, options: ApiOptions, io: Io) => Promise<number>

const changes: readonly (readonly [command: string, description: string, run: Change])[] = [
  ['pause', 'Holds the events of a lane until it is resumed.', pauseLane],
  ['resume', 'Releases the events of a paused lane.', resumeLane],
  ['skip', 'Makes the first event of a lane a dead letter, so that the lane continues.', skipLaneHead],
  ['retry', 'Makes the first event of a lane due now.', retryLaneHead],
  ['cancel', 'Makes the pending events of a lane dead letters.', cancelLane],
]

/** Adds the commands for the lanes of handlers. */
export function addLaneCommands(program: Command, run: RunCommand): void {
  const lanes = program.command('lanes').summary('show lanes, and pause, resume and repair them')
  addListOptions(lanes.command('list', { isDefault: true }))
    .description('Lists lanes with pending events and paused ones, by default those that fail first.')
    .addOption(
      new Option('--state <state>', 'only lanes in this state').choices([
        'stuck',
        'paused',
        'running',
        'waiting',
      ]),
    )
    .addOption(new Option('--order <order>', 'the first lanes').choices(['attempts', 'oldest', 'busiest']))
    .addHelpText('after', createHelp('lanes --state stuck', 'lanes --order busiest --watch'))
    .action(run(listLanes))
  addConnectionOptions(lanes.command('show'))
    .description('Shows a lane with its first event.')
    .argument('<name>', 'the name of a lane')
    .addHelpText('after', createHelp('lanes show acme'))
    .action(run(showLane))
  for (const [command, description, change] of changes)
    addConnectionOptions(lanes.command(command))
      .description(description)
      .argument('<name>', 'the name of a lane')
      .addHelpText('after', createHelp(`lanes ${command} acme`))
      .action(run(change))
}
