import { SallyportError } from '@sallyport/errors'
import { z } from 'zod'
import type { RouteBinding } from '../route-binding.ts'
import { createRouteGroup } from '../route-group.ts'
import type { AnyRoute, RouteAccess } from '../route.ts'
import type { ToolServerOptions } from './tool-server.ts'
import { createTools, type Tool } from './tool.ts'

export interface McpRouteOptions extends Pick<ToolServerOptions, 'name' | 'version' | 'instructions'> {
  /** The routes of the same API. Those that declare `tool` are tools. */
  readonly routes: readonly Pick<RouteBinding, 'route'>[]
  /** @default 'authenticated' */
  readonly access?: Exclude<RouteAccess, 'public'>
  /** @default none */
  readonly tags?: readonly string[]
}

const envelope = { jsonrpc: z.literal('2.0') }
const id = z.union([z.string().max(200), z.int()]).meta({ examples: [1] })

const message = z
  .strictObject({
    ...envelope,
    id: id.optional(),
    method: z
      .string()
      .max(200)
      .meta({ examples: ['tools/list'] }),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'McpMessage', description: 'A request or a notification of JSON-RPC.' })

const answerSchema = z
  .object({
    ...envelope,
    id,
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .meta({ id: 'McpAnswer', description: 'A response of JSON-RPC.' })

/**
 * Creates `POST /mcp`, which offers routes of the API as tools of the Model Context Protocol (streamable HTTP, without
 * sessions).
 *
 * A call of a tool is a request to the API with the credentials of the caller, so that all checks of the route apply. A client
 * sees which tools change something, and asks its user. With `?readOnly=true` there are only tools that change nothing.
 *
 * The first request creates the tools. A route whose schema has no JSON Schema, or that has two arguments of one name, is a 500,
 * which `onError` receives.
 *
 * @example
 * ```ts
 * import { createApi, createRouteGroup } from '@sallyport/rest'
 * import { createMcpRoute } from '@sallyport/rest/mcp'
 * import { z } from 'zod'
 *
 * const route = createRouteGroup()
 * const routes = [
 *   route.get('/stock/{item}', { operationId: 'getStock', tool: { trusted: true }, data: z.int() }, () => 7),
 * ]
 * const api = createApi({
 *   authenticate: () => ({ id: 'ann' }),
 *   routes: [...routes, createMcpRoute({ name: 'shop', version: '1.0.0', routes })],
 * })
 * ```
 */
export function createMcpRoute({
  routes,
  access = 'authenticated',
  tags = [],
  ...server
}: McpRouteOptions): RouteBinding {
  let tools: readonly Tool[] | undefined
  const load = () => (tools ??= createTools(routes.map(({ route }): AnyRoute => route)))
  return createRouteGroup({ access, tags }).post(
    '/mcp',
    {
      operationId: 'callTool',
      summary: 'Send a message of the Model Context Protocol',
      description:
        'Assistants list and call tools, which are routes of the API. The server has no sessions and no streams.',
      query: z.strictObject({
        readOnly: z
          .boolean()
          .default(false)
          .meta({ description: 'Whether to leave out tools that change something.' }),
      }),
      body: message,
      responses: {
        200: { description: 'The answer to a request', body: answerSchema },
        202: { description: 'A notification was accepted' },
      },
    },
    async ({ body, query: { readOnly } }, context) => {
      const offered = load().filter(({ isReadOnly }) => !readOnly || isReadOnly)
      // The library takes a tenth of a second to load.
      const { answerMessage } = await import('./answer-message.ts')
      const response = await answerMessage(body, context, { ...server, tools: offered })
      if (response.status === 202) return { status: 202 }
      return { status: 200, body: requireAnswer(await response.json()) }
    },
  )
}

/**
 * An error that answers a request is JSON-RPC with the status 200.
 *
 * @throws SallyportError for another error
 */
function requireAnswer(answered: unknown): z.infer<typeof answerSchema> {
  const { success, data } = answerSchema.safeParse(answered)
  if (success) return data
  const { error } = Object(answered) as { readonly error?: { readonly message?: string } }
  throw new SallyportError('BAD_REQUEST', error?.message ?? 'The message is not valid')
}
