import type { Command } from 'commander'
import type { ApiOptions } from './api.ts'
import {
  addSecret,
  createEndpoint,
  deleteEndpoint,
  removeSecret,
  setEndpointStatus,
  showEndpoint,
} from './endpoints.ts'
import type { Io } from './io.ts'
import { endpointsList, printList, type ListOptions } from './lists.ts'
import { addConnectionOptions, addListOptions, createHelp, type RunCommand } from './options.ts'

/** Adds the commands for the addresses with separate secrets. */
export function addEndpointCommands(program: Command, run: RunCommand): void {
  const endpoints = program.command('endpoints').summary('list, create, change and delete endpoints')
  addListOptions(endpoints.command('list', { isDefault: true }))
    .description('Lists the addresses with separate secrets, newest first.')
    .option('--provider <name>', 'only endpoints of this provider')
    .option('-s, --status <status>', 'only active or disabled endpoints')
    .option('--labels <labels>', 'only endpoints with these labels, such as region=eu,plan=gold')
    .addHelpText('after', createHelp('endpoints', 'endpoints --provider github --status disabled'))
    .action(run((options: ListOptions, io: Io) => printList(endpointsList, options, io)))
  addConnectionOptions(endpoints.command('create'))
    .description('Creates an endpoint. Standard output has the generated secret only, which is shown once.')
    .argument('<provider>', 'the name of the provider')
    .argument('<name>', 'a name for people')
    .option('--label <label...>', 'labels, such as region=eu plan=gold')
    .addHelpText('after', createHelp("endpoints create github 'Acme Ltd'"))
    .action(run(createEndpoint))
  addConnectionOptions(endpoints.command('show'))
    .description('Shows an endpoint with the ids of its secrets.')
    .argument('<id>', 'the id of an endpoint')
    .addHelpText('after', createHelp('endpoints show acme'))
    .action(run(showEndpoint))
  for (const [command, status] of [
    ['enable', 'active'],
    ['disable', 'disabled'],
  ] as const)
    addConnectionOptions(endpoints.command(command))
      .description(`Makes an endpoint ${status}.`)
      .argument('<id>', 'the id of an endpoint')
      .addHelpText('after', createHelp(`endpoints ${command} acme`))
      .action(run((id: string, options: ApiOptions, io: Io) => setEndpointStatus(id, status, options, io)))
  addConnectionOptions(endpoints.command('delete'))
    .description('Deletes an endpoint and its secrets. Its deliveries stay: erase them with sallyport erase.')
    .argument('<id>', 'the id of an endpoint')
    .option('--yes', 'confirms that the secrets are deleted for good')
    .addHelpText('after', createHelp('endpoints delete acme --yes'))
    .action(run(deleteEndpoint))
  addConnectionOptions(endpoints.command('add-secret'))
    .description('Adds a generated secret. The endpoint accepts the old and the new secrets.')
    .argument('<id>', 'the id of an endpoint')
    .addHelpText('after', createHelp('endpoints add-secret acme'))
    .action(run(addSecret))
  addConnectionOptions(endpoints.command('remove-secret'))
    .description('Removes a secret. Deliveries that it signs are refused within two seconds.')
    .argument('<id>', 'the id of an endpoint')
    .argument('<secret>', 'the id of the secret')
    .addHelpText('after', createHelp('endpoints remove-secret acme 2mQ0'))
    .action(run(removeSecret))
}
