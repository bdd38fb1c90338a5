import type { Command } from 'commander'
import { deleteConsumer, deleteDeadLetter, retryDeadLetters } from './consumers.ts'
import type { Io } from './io.ts'
import { consumersList, listDeadLetters, listRetries, printList, type ListOptions } from './lists.ts'
import { addConnectionOptions, addListOptions, createHelp, type RunCommand } from './options.ts'

/** Adds the commands for the consumers of the bus in the database. */
export function addConsumerCommands(program: Command, run: RunCommand): void {
  const consumers = program.command('consumers').summary('show consumers, and retry their dead letters')
  addListOptions(consumers.command('list', { isDefault: true }))
    .description('Lists the consumers of the bus in the database.')
    .addHelpText('after', createHelp('consumers', 'consumers --watch'))
    .action(run((options: ListOptions, io: Io) => printList(consumersList, options, io)))
  addListOptions(consumers.command('dead-letters'))
    .description('Lists the events that a consumer could not handle.')
    .argument('<name>', 'the name of a consumer')
    .addHelpText('after', createHelp('consumers dead-letters builds'))
    .action(
      run((name: string, options: ListOptions, io: Io) => printList(listDeadLetters(name), options, io)),
    )
  addListOptions(consumers.command('retries'))
    .description('Lists the failed events of a consumer that wait for another attempt.')
    .argument('<name>', 'the name of a consumer')
    .addHelpText('after', createHelp('consumers retries builds'))
    .action(run((name: string, options: ListOptions, io: Io) => printList(listRetries(name), options, io)))
  addConnectionOptions(consumers.command('retry'))
    .description('Makes a consumer handle a dead letter again, or all of its dead letters.')
    .argument('<name>', 'the name of a consumer')
    .argument('[sequence]', 'the sequence of a dead letter (default: all)')
    .addHelpText('after', createHelp('consumers retry builds', 'consumers retry builds 12'))
    .action(run(retryDeadLetters))
  addConnectionOptions(consumers.command('discard'))
    .description('Deletes a dead letter of a consumer.')
    .argument('<name>', 'the name of a consumer')
    .argument('<sequence>', 'the sequence of a dead letter')
    .addHelpText('after', createHelp('consumers discard builds 12'))
    .action(run(deleteDeadLetter))
  addConnectionOptions(consumers.command('delete'))
    .description('Deletes a consumer that no process runs, with its dead letters.')
    .argument('<name>', 'the name of a consumer')
    .addHelpText('after', createHelp('consumers delete builds'))
    .action(run(deleteConsumer))
}
