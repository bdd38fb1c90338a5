import type { Command } from 'commander'
import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { printable, success, type Io } from './io.ts'
import { printList, subscriptionsList, type ListOptions } from './lists.ts'
import { addConnectionOptions, addListOptions, createHelp, type RunCommand } from './options.ts'

interface SubscriptionOptions extends ListOptions {
  readonly service?: string
}

/** Adds the commands for the webhooks that the server registers at services. */
export function addSubscriptionCommands(program: Command, run: RunCommand): void {
  const subscriptions = program
    .command('subscriptions')
    .summary('show the webhooks that the server registers at services, and renew one')
  addListOptions(subscriptions.command('list', { isDefault: true }))
    .description('Lists the webhooks at services with their state, their expiry and the last error.')
    .option('--endpoint <id>', 'only those of this endpoint')
    .option('--service <name>', 'only those of this service')
    .addHelpText('after', createHelp('subscriptions', 'subscriptions --service github --watch'))
    .action(
      run(({ service, ...options }: SubscriptionOptions, io: Io) =>
        printList(subscriptionsList, { ...options, query: service ? { service } : {} }, io),
      ),
    )
  addConnectionOptions(subscriptions.command('renew'))
    .description('Compares one with its service now, and renews one that expires.')
    .argument('<id>', 'the id of a subscription')
    .addHelpText('after', createHelp('subscriptions renew github-acme'))
    .action(
      run(async (id: string, options: ApiOptions, io: Io) => {
        const path = `/subscriptions/${encodeURIComponent(id)}/renewals`
        await requestApi({ method: 'POST', path }, envelopeSchema(z.unknown()), options, io)
        io.out(`Renewing ${printable(id)}`)
        return success
      }),
    )
}
