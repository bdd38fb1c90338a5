import { McpServer, type Tool as ToolDefinition } from '@modelcontextprotocol/server'
import { callTool, type Dispatch } from './call-tool.ts'
import type { Tool } from './tool.ts'

export interface ToolServerOptions {
  readonly name: string
  readonly version: string
  readonly instructions?: string | undefined
  readonly tools: readonly Tool[]
  readonly dispatch: Dispatch
}

/** Creates the server of one connection or request. */
export function createToolServer({
  name,
  version,
  instructions,
  tools,
  dispatch,
}: ToolServerOptions): McpServer {
  const server = new McpServer(
    { name, version },
    { capabilities: { tools: {} }, ...(instructions !== undefined && { instructions }) },
  )
  // Registered tools have schemas that validate. These have JSON Schema, and the API validates.
  const { server: handlers } = server
  handlers.setRequestHandler('tools/list', () => ({ tools: tools.map(toDefinition) }))
  handlers.setRequestHandler('tools/call', async ({ params }) => {
    const tool = tools.find(({ route }) => route.operationId === params.name)
    const { text, isError } =
      tool === undefined
        ? { text: 'There is no tool of this name', isError: true }
        : await callTool(tool, params.arguments ?? {}, dispatch)
    return { content: [{ type: 'text', text }], isError }
  })
  return server
}

function toDefinition({
  route,
  title,
  description,
  inputSchema,
  isReadOnly,
  isTrusted,
}: Tool): ToolDefinition {
  return {
    name: route.operationId,
    title,
    description,
    // A schema is JSON, which its type does not say.
    inputSchema: inputSchema as unknown as ToolDefinition['inputSchema'],
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: !isReadOnly,
      openWorldHint: !isTrusted,
    },
  }
}
