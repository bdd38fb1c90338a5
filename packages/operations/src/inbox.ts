import type { WebhookOperations } from '@sallyport/webhooks/node'

/** An inbox of operators. A route is absent if the inbox lacks a method that the route needs. */
export type OperationsInbox = WebhookOperations['inbox']

/** Reports whether an inbox has all of the methods. */
export function supports<Name extends keyof OperationsInbox>(
  inbox: OperationsInbox,
  ...names: readonly Name[]
): inbox is OperationsInbox & Required<Pick<OperationsInbox, Name>> {
  return names.every((name) => typeof inbox[name] === 'function')
}
