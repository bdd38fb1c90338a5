import {
  answerList,
  createRouteGroup,
  defineListQuery,
  type ListQuery,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type {
  ConsumerDeadLetter,
  ConsumerQuery,
  ConsumerRetry,
  ConsumerStore,
} from '@sallyport/webhooks/consumer'
import type { FindEndpointNames } from '../endpoints/names.ts'
import {
  consumerParams,
  consumerResource,
  deadLetterResource,
  requireConsumer,
  retryResource,
  toConsumer,
  toDeadLetter,
  toRetry,
} from './schemas.ts'

const route = createRouteGroup({ tags: ['consumers'] })

const bySequence = defineListQuery({ sortable: [], id: 'sequence' })

/** Creates the routes that list the consumers of the bus in the database, their dead letters and their retries. */
export function consumerLists(
  consumers: ConsumerStore,
  findNames: FindEndpointNames,
  access: RouteAccess,
): readonly RouteBinding[] {
  const findNamesOf = (rows: readonly (ConsumerDeadLetter | ConsumerRetry)[]) =>
    findNames(rows.map(({ event }) => event?.source.endpoint))

  return [
    route.get(
      '/consumers',
      {
        operationId: 'listConsumers',
        tool: {},
        summary: 'List the consumers of the bus in the database',
        description: 'The counts stop at 10,000.',
        access,
        query: defineListQuery({ sortable: ['name'], defaultSort: 'name', id: 'name' }),
        responses: { 200: { description: 'A page of consumers', list: consumerResource } },
      },
      async ({ query }, context) => answerList(query, context, (await consumers.list()).map(toConsumer)),
    ),
    route.get(
      '/consumers/{name}/dead-letters',
      {
        operationId: 'listConsumerDeadLetters',
        tool: {},
        summary: 'List the events that a consumer could not handle',
        description: 'In the order of the bus.',
        access,
        params: consumerParams,
        query: bySequence,
        responses: { 200: { description: 'A page of dead letters', list: deadLetterResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { name }, query }, context) => {
        const [rows, total] = await Promise.all([
          consumers.deadLetters(toPage(name, query)),
          query.pagination.kind === 'offset' ? consumers.countDeadLetters(name) : 0,
        ])
        if (rows.length === 0) await requireConsumer(consumers, name)
        const names = await findNamesOf(rows)
        return answerList(query, context, () => ({ rows, total }), { map: (row) => toDeadLetter(row, names) })
      },
    ),
    route.get(
      '/consumers/{name}/retries',
      {
        operationId: 'listConsumerRetries',
        tool: {},
        summary: 'List the failed events of a consumer that wait for another attempt',
        description:
          'In the order of the bus: at most one event per subject. The later events of the subject wait.',
        access,
        params: consumerParams,
        query: bySequence,
        responses: { 200: { description: 'A page of events', list: retryResource } },
        errors: ['NOT_FOUND'],
      },
      async ({ params: { name }, query }, context) => {
        const [rows, total] = await Promise.all([
          consumers.retries(toPage(name, query)),
          query.pagination.kind === 'offset' ? consumers.countRetries(name) : 0,
        ])
        if (rows.length === 0) await requireConsumer(consumers, name)
        const names = await findNamesOf(rows)
        return answerList(query, context, () => ({ rows, total }), { map: (row) => toRetry(row, names) })
      },
    ),
  ]
}

function toPage(consumer: string, { pagination }: ListQuery): ConsumerQuery {
  if (pagination.kind === 'offset') return { consumer, offset: pagination.offset, limit: pagination.limit }
  const { anchor, limit } = pagination
  const page = { consumer, limit: limit + 1 }
  if (!('position' in anchor))
    return anchor.at === 'start' ? page : { ...page, before: Number.MAX_SAFE_INTEGER }
  const sequence = Number(anchor.position[0])
  return anchor.at === 'after' ? { ...page, after: sequence } : { ...page, before: sequence }
}
