import { z } from 'zod'
import { getApiHint, type ApiOptions } from './api.ts'
import { connect, type Connection } from './connection.ts'
import { CommandError, failure, success, tryParseJson, type Io } from './io.ts'
import { exchange } from './request.ts'
import { createResponseError } from './response.ts'

export interface McpOptions extends Pick<ApiOptions, 'url' | 'token'> {
  /** Whether the assistant may also change something. @default false */
  readonly allowChanges?: boolean
}

const limits = { timeoutMs: 60_000, maxResponseBytes: 1024 * 1024 }
const maxLineLength = 1024 * 1024

/** A JSON-RPC message, with the parts that are headers over HTTP. */
const messageSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      name: z.string().optional(),
      _meta: z.looseObject({ 'io.modelcontextprotocol/protocolVersion': z.string().optional() }).optional(),
    })
    .optional(),
})
type Message = z.infer<typeof messageSchema>

/**
 * Passes the messages of an assistant on standard input to the server, and prints the answers, until the input ends.
 *
 * @throws CommandError for a line that is too long
 */
export async function mcp({ allowChanges = false, ...options }: McpOptions, io: Io): Promise<number> {
  const connection = await connect(options, io)
  const path = allowChanges ? '/mcp' : '/mcp?readOnly=true'
  const running = new Set<Promise<void>>()
  for await (const line of readLines(io.stdin)) {
    const task = answer(line, path, connection, io)
    running.add(task)
    void task.finally(() => running.delete(task))
  }
  await Promise.all(running)
  return success
}

async function* readLines(chunks: Io['stdin']): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > maxLineLength) throw new CommandError(failure, 'A message of the assistant is too long')
    yield* lines.filter((line) => line.trim() !== '')
  }
}

/** Prints the answer to a message. A failure is an answer, too, because the assistant shows it to the user. */
async function answer(line: string, path: string, connection: Connection, io: Io): Promise<void> {
  const message = messageSchema.safeParse(tryParseJson(line))
  if (!message.success) {
    printError(null, -32_700, 'The message is not valid JSON-RPC', io)
    return
  }
  try {
    const answered = await send(message.data, path, connection, io)
    if (answered !== undefined) io.out(JSON.stringify(answered))
  } catch (error) {
    const { id } = message.data
    const text = error instanceof CommandError ? [error.message, ...error.hints].join('. ') : 'Internal error'
    if (id !== undefined) printError(id, -32_603, text, io)
  }
}

async function send(
  message: Message,
  path: string,
  { resolve, getToken }: Connection,
  io: Io,
): Promise<unknown> {
  const { method, params } = message
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion']
  const response = await exchange(
    resolve(path),
    {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${await getToken()}`,
        'content-type': 'application/json',
        'user-agent': 'sallyport',
        ...(version !== undefined && {
          'mcp-protocol-version': version,
          ...(method !== undefined && { 'mcp-method': method }),
          ...(params?.name !== undefined && { 'mcp-name': params.name }),
        }),
      },
      body: JSON.stringify(message),
    },
    limits,
    io,
  )
  if (response.status === 202) return undefined
  const answered = messageSchema.safeParse(tryParseJson(response.body))
  if (response.status === 200 && answered.success) return answered.data
  throw createResponseError(response, 'that of the API', (code, message) =>
    code === 'NOT_FOUND'
      ? 'The server offers no tools: it has no createMcpRoute.'
      : getApiHint(code, message),
  )
}

function printError(id: string | number | null, code: number, message: string, io: Io): void {
  io.out(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))
}
