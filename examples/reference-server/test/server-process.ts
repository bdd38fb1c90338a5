import { spawn, type ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { documentedFetch } from './documented.ts'

const source = ['--conditions=@sallyport/source', fileURLToPath(new URL('../src/main.ts', import.meta.url))]

/** A temporary data directory, which is deleted after the test. */
export async function temporaryDirectory(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'sallyport-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

export interface ServerProcess extends AsyncDisposable {
  readonly base: string
  readonly child: ChildProcess
  /** The standard output of the process. */
  output(): string
  /** Ends it, and answers its exit code; null when a signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/**
 * Runs the server as a separate process and waits until it listens.
 *
 * @param command what Node.js is given. @default the server's source
 */
export async function startServerProcess(
  environment: Record<string, string>,
  command: readonly string[] = source,
): Promise<ServerProcess> {
  const { child, output, errors } = runServer({ PORT: '0', HOST: '127.0.0.1', ...environment }, command)
  const exited = once(child, 'exit') as Promise<[number | null]>
  const base = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, port] = /listens on http:\/\/localhost:(\d+)/.exec(output()) ?? []
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
    void exited.then(([code]) => {
      reject(new Error(`The server ended with ${String(code)} before it listened: ${errors()}`))
    })
  })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    const [code] = await exited
    return code
  }
  return {
    base,
    child,
    output,
    end,
    [Symbol.asyncDispose]: async () => {
      await end('SIGKILL')
    },
  }
}

/** Runs the server until it exits, or until `act` ends it. */
export async function runServerToItsEnd(
  environment: Record<string, string>,
  act?: (child: ChildProcess) => void,
  /** Further parameters of the command. */
  parameters: readonly string[] = [],
): Promise<{ code: number | null; output: string; errors: string }> {
  const { child, output, errors } = runServer(environment, [...source, ...parameters])
  act?.(child)
  // Its exit may be known before its last words.
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output: output(), errors: errors() }
}

function runServer(environment: Record<string, string>, command: readonly string[] = source) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, command, {
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  return { child, output: () => output, errors: () => errors }
}

export async function getSecrets(dataDirectory: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(dataDirectory, 'secrets.json'), 'utf8')) as Record<string, string>
}

interface SendOptions {
  /** @default 'workflow_run' */
  readonly event?: string
  /** @default the address without an endpoint */
  readonly path?: string
  /** @default fetch */
  readonly send?: typeof documentedFetch
}

/** A delivery as the code host sends it. */
export async function sendWorkflowRun(
  base: string,
  secret: string,
  payload: unknown,
  { event = 'workflow_run', path = '/webhooks/codehost', send = fetch }: SendOptions = {},
): Promise<{
  readonly status: number
  readonly data: { readonly status: string; readonly events: { id: string; duplicate: boolean }[] }
  readonly error: { readonly code: string } | undefined
}> {
  const body = JSON.stringify(payload)
  const response = await send(base + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  })
  return { ...((await response.json()) as { data: never; error: undefined }), status: response.status }
}

export interface ListedEvent {
  readonly id: string
  readonly name: string
  readonly route: 'direct' | 'queue'
  readonly provider: string
  readonly data: Readonly<Record<string, unknown>>
}

/** An access token of the admin whose password is in the secrets. */
export async function adminToken(base: string, secrets: Record<string, string>): Promise<string> {
  const response = await documentedFetch(`${base}/api/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: secrets['ADMIN_EMAIL'], password: secrets['ADMIN_PASSWORD'] }),
  })
  if (response.status !== 201) throw new Error(`No session for the admin: ${await response.text()}`)
  const { data } = (await response.json()) as { data: { access_token: string } }
  return data.access_token
}

/** Lists the published events in order. */
export async function publishedEvents(base: string, token: string): Promise<ListedEvent[]> {
  const response = await documentedFetch(`${base}/api/v1/events?limit=100`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (response.status !== 200) throw new Error(`No events for the admin: ${await response.text()}`)
  return ((await response.json()) as { data: ListedEvent[] }).data
}
