import { SallyportError } from '@sallyport/errors'
import { createRouteGroup, dataEnvelope, type RouteAccess, type RouteBinding } from '@sallyport/rest'
import type { ConsumerStore } from '@sallyport/webhooks/consumer'
import type { RecordAction } from '../audit/record-action.ts'
import { consumerParams, deadLetterParams, requireConsumer, retriedResource, toSequence } from './schemas.ts'

const route = createRouteGroup({ tags: ['consumers'] })

const unknownLetter = 'The consumer has no dead letter with this sequence'

export interface ConsumerChangesOptions {
  readonly consumers: ConsumerStore
  readonly record: RecordAction
  readonly replay: RouteAccess
  readonly erase: RouteAccess
}

/** Creates the routes that retry and delete the dead letters of a consumer, and delete a consumer. */
export function consumerChanges({
  consumers,
  record,
  replay,
  erase,
}: ConsumerChangesOptions): readonly RouteBinding[] {
  return [
    route.post(
      '/consumers/{name}/dead-letters/{sequence}/retry',
      {
        operationId: 'retryConsumerDeadLetter',
        tool: {},
        summary: 'Make a consumer handle a dead letter again',
        description:
          'With all its attempts, and after the running event of its subject. The dead letter is deleted when the event is handled.',
        access: replay,
        params: deadLetterParams,
        responses: { 202: { description: 'The dead letter is retried', data: retriedResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { name, sequence } }, context) => {
        const events = await consumers.retry(name, [toSequence(sequence)])
        if (events === 0) throw new SallyportError('NOT_FOUND', unknownLetter)
        await record(context, 'consumer.dead_letters.retry', { target: name, detail: { sequence } })
        return { status: 202, body: dataEnvelope({ events, more: false }) }
      },
    ),
    route.post(
      '/consumers/{name}/dead-letters/retries',
      {
        operationId: 'retryConsumerDeadLetters',
        summary: 'Make a consumer handle its dead letters again',
        description:
          'Retries the oldest 1,000 dead letters that are not retried yet. Those of a subject keep their order.',
        access: replay,
        params: consumerParams,
        responses: { 202: { description: 'The number of dead letters', data: retriedResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { name } }, context) => {
        const events = await consumers.retry(name)
        if (events === 0) await requireConsumer(consumers, name)
        await record(context, 'consumer.dead_letters.retry', { target: name, detail: { events } })
        return { status: 202, body: dataEnvelope({ events, more: events > 0 }) }
      },
    ),
    route.delete(
      '/consumers/{name}/dead-letters/{sequence}',
      {
        operationId: 'deleteConsumerDeadLetter',
        summary: 'Delete a dead letter of a consumer',
        access: erase,
        params: deadLetterParams,
        responses: { 204: { description: 'The dead letter is deleted' } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { name, sequence } }, context) => {
        const isDiscarded = await consumers.discard(name, toSequence(sequence))
        if (!isDiscarded) throw new SallyportError('NOT_FOUND', unknownLetter)
        await record(context, 'consumer.dead_letter.delete', { target: name, detail: { sequence } })
        return { status: 204 }
      },
    ),
    route.delete(
      '/consumers/{name}',
      {
        operationId: 'deleteConsumer',
        summary: 'Delete a consumer that no process runs, with its dead letters',
        description: 'A consumer that starts again with the name receives all events that are on the bus.',
        access: erase,
        params: consumerParams,
        responses: { 204: { description: 'The consumer is deleted' } },
        errors: ['NOT_FOUND', 'CONFLICT'],
      },
      async ({ params: { name } }, context) => {
        if (!(await consumers.remove(name))) {
          const isRunning = (await consumers.list()).some((one) => one.name === name)
          if (isRunning) throw new SallyportError('CONFLICT', 'A process runs the consumer: stop it first')
          throw new SallyportError('NOT_FOUND', 'There is no consumer with this name')
        }
        await record(context, 'consumer.delete', { target: name })
        return { status: 204 }
      },
    ),
  ]
}
