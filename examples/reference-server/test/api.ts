import { vi } from 'vitest'
import { documentedFetch } from './documented.ts'
import { startInProcess } from './in-process.ts'
import { publishedEvents, sendWorkflowRun, temporaryDirectory, type ListedEvent } from './server-process.ts'

type Fields = Readonly<Record<string, unknown>>

/** The parts of response bodies. A test reads the parts that its response has. */
interface Body {
  readonly data: Fields & { readonly id: string }
  readonly list: readonly (Fields & { readonly id: string })[]
  readonly meta: Fields & { readonly nextCursor: string }
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details?: readonly { readonly field: string; readonly message: string }[]
  }
}

interface Answer extends Body {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface RequestOptions {
  readonly token?: string | undefined
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer> | URLSearchParams
  readonly headers?: Readonly<Record<string, string>>
}

export interface Credentials {
  readonly email: string
  readonly password: string
}

export interface TestUser extends Credentials {
  readonly id: string
  readonly token: string
  readonly session: string
  readonly refreshToken: string
}

export interface TestApi extends AsyncDisposable {
  readonly base: string
  /** The lines of the log. */
  readonly output: () => string
  /** Stops the server as SIGTERM does. */
  readonly stop: () => Promise<void>
  readonly admin: TestUser
  /** A request to a path under `/api/v1`, whose response has to be as it is documented. */
  readonly call: (method: string, path: string, options?: RequestOptions) => Promise<Answer>
  /** A user who has registered and logged in. */
  readonly user: (name?: string) => Promise<TestUser>
  readonly logIn: (credentials: Credentials) => Promise<TestUser>
  /** A delivery of the code host's, signed, and what became of it. */
  readonly deliver: (payload: unknown, event?: string) => Promise<Delivered>
  /** The published events, in order. */
  readonly events: () => Promise<readonly ListedEvent[]>
  /** The id of a delivery whose event is published and whose notification is sent. */
  readonly delivery: () => Promise<string>
}

interface Delivered {
  readonly status: string
  readonly events: readonly { readonly id: string; readonly duplicate: boolean }[]
}

/** The whole server in this process, with a separate directory and port. */
export async function startApi(
  environment: Readonly<Record<string, string>> = {},
  adminCredentials?: Credentials,
  /** Receives the lines of the log. @default no log */
  write?: (line: string) => void,
): Promise<TestApi> {
  const data = await temporaryDirectory()
  const { WEBHOOK_SECRET_CODEHOST: codehostSecret = 'a secret of the code host' } = environment
  const server = await startInProcess(
    {
      WEBHOOK_SECRET_CODEHOST: codehostSecret,
      DATA_DIR: data.path,
      RATE_LIMIT: '1000000',
      RATE_LIMIT_AUTH: '1000000',
      LOG_LEVEL: write ? 'info' : 'silent',
      ...environment,
    },
    write,
  )
  const { base, config } = server

  async function call(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { token, json, body, headers } = options
    const response = await documentedFetch(`${base}/api/v1${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const parsed = (text === '' ? {} : JSON.parse(text)) as Body
    const list = Array.isArray(parsed.data) ? (parsed.data as Body['list']) : []
    return { ...parsed, list, status: response.status, headers: response.headers, text }
  }

  async function logIn({ email, password }: Credentials): Promise<TestUser> {
    const { status, data, text } = await call('POST', '/sessions', { json: { email, password } })
    if (status !== 201) throw new Error(`No session: ${text}`)
    const { id, user_id, access_token, refresh_token } = data as Readonly<Record<string, string>>
    return {
      id: user_id!,
      email,
      password,
      token: access_token!,
      session: id!,
      refreshToken: refresh_token!,
    }
  }

  let users = 0
  async function user(name = 'Somebody'): Promise<TestUser> {
    users += 1
    const account = { email: `user${users}@example.com`, password: `password ${users}`, name }
    const { status, text } = await call('POST', '/users', { json: account })
    if (status !== 201) throw new Error(`No user: ${text}`)
    return logIn(account)
  }

  async function deliver(payload: unknown, event?: string): Promise<Delivered> {
    const options = { send: documentedFetch, ...(event !== undefined && { event }) }
    const { status, data, error } = await sendWorkflowRun(base, codehostSecret, payload, options)
    if (status !== 200) throw new Error(`Not delivered: ${error?.code}`)
    return data
  }

  let deliveries = 0
  async function delivery(): Promise<string> {
    deliveries += 1
    await deliver({ type: 'workflow_run.completed', payload: { number: deliveries } })
    const { token } = running.admin
    const { id } = (await call('GET', '/deliveries?limit=1', { token })).list[0]!
    await vi.waitFor(
      async () => {
        const { data } = await call('GET', `/deliveries/${id}`, { token })
        const [event] = data['events'] as readonly { notification: { state: string } | null }[]
        if (event?.notification?.state !== 'sent')
          throw new Error('The delivery is not published and notified yet')
      },
      { timeout: 60_000 },
    )
    return id
  }

  const { admin = config.developmentAdmin } = config
  if (admin === undefined) throw new Error('There is no admin')
  const running: TestApi = {
    base,
    output: server.output,
    stop: server.stop,
    events: () => publishedEvents(base, running.admin.token),
    call,
    user,
    logIn,
    deliver,
    delivery,
    admin: await logIn(adminCredentials ?? admin),
    async [Symbol.asyncDispose]() {
      await server.stop()
      await data[Symbol.asyncDispose]()
    },
  }
  return running
}

/** The problems of a response by field. */
export function getProblems({ error }: Answer): Record<string, string> {
  return Object.fromEntries((error.details ?? []).map(({ field, message }) => [field, message]))
}

export const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'
