import {
  answerList,
  createRouteGroup,
  defineListQuery,
  type RouteAccess,
  type RouteBinding,
} from '@sallyport/rest'
import type { ProcessStore } from '@sallyport/webhooks/processes'
import { processResource, toProcess } from './schemas.ts'

const route = createRouteGroup({ tags: ['statistics'] })

/** Creates the route that lists the processes that share the database. */
export const listProcessesRoute = (
  processes: Pick<ProcessStore, 'list'>,
  access: RouteAccess,
): RouteBinding =>
  route.get(
    '/processes',
    {
      operationId: 'listProcesses',
      tool: {},
      summary: 'List the processes that share the database',
      description: 'Each process sends a heartbeat every 5 seconds, with its dependencies as it sees them.',
      access,
      query: defineListQuery({ sortable: ['host', 'started_at'], defaultSort: 'started_at', id: 'id' }),
      responses: { 200: { description: 'A page of processes', list: processResource } },
    },
    async ({ query }, context) => answerList(query, context, (await processes.list()).map(toProcess)),
  )
