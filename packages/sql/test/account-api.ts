import { createApi, createIdempotency } from '@sallyport/rest'
import { createFetchHandler } from '@sallyport/rest/fetch'
import {
  openAccounts,
  type AccountsOptions,
  type AccountTables,
  type OpenedAccounts,
} from '@sallyport/sql/accounts'
import { restMigrations, createRestStores } from '@sallyport/sql/rest'
import { toRetryable } from '@sallyport/sql/resources'
import type { Kysely } from 'kysely'
import { beforeAll } from 'vitest'
import { describeDatabases } from './databases.ts'
import { noteRoutes, notesMigration, type NoteTables } from './notes.ts'

type Fields = Readonly<Record<string, unknown>>
type Tables = AccountTables & NoteTables

/** The parts of a response. A test reads the parts that its response has. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly data: Fields & { readonly id: string }
  readonly list: readonly (Fields & { readonly id: string })[]
  readonly meta: Fields & { readonly nextCursor: string }
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details?: readonly { readonly field: string; readonly message: string }[]
  }
}

export interface RequestOptions {
  readonly token?: string | undefined
  readonly json?: unknown
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

export interface AccountApi {
  readonly admin: TestUser
  readonly accounts: OpenedAccounts
  readonly database: Kysely<Tables>
  readonly call: (method: string, path: string, options?: RequestOptions) => Promise<Answer>
  /** A user who has registered and logged in. */
  readonly user: (name?: string) => Promise<TestUser>
  readonly logIn: (credentials: Credentials) => Promise<TestUser>
}

const migrations = {
  '0001-accounts': restMigrations.accounts,
  '0002-sessions': restMigrations.sessions,
  '0003-keys': restMigrations.apiKeys,
  '0004-idempotency': restMigrations.idempotency,
  '0005-notes': notesMigration,
}
const secret = 's'.repeat(32)
export const base = 'http://127.0.0.1'
export const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

/** The problems of a response by field. */
export function getProblems({ error }: Answer): Record<string, string> {
  return Object.fromEntries((error.details ?? []).map(({ field, message }) => [field, message]))
}

/** Defines a suite for an API with accounts and notes, once per database. The API checks its responses. */
export function describeAccountApi(
  define: (api: () => AccountApi) => void,
  options: Partial<AccountsOptions<Tables>> = {},
): void {
  describeDatabases(migrations, (databases) => {
    let api: AccountApi | undefined
    beforeAll(async () => {
      api = await openApi(databases()[0], options)
    })
    define(() => {
      if (api === undefined) throw new Error('Ask for the API within a test or a hook')
      return api
    })
  })
}

async function openApi(
  database: Kysely<Tables>,
  options: Partial<AccountsOptions<Tables>>,
): Promise<AccountApi> {
  const accounts = openAccounts({
    ...{ db: database, secrets: [secret], issuer: 'test', audience: 'test', attemptsPerMinute: 1_000_000 },
    ...options,
  })
  const db = database as unknown as Kysely<NoteTables>
  const api = createApi({
    ...accounts.api,
    rateLimits: { ...accounts.api.rateLimits, default: { quota: 1_000_000, window: 60 } },
    responseSchemas: 'check',
    secrets: [secret],
    idempotency: createIdempotency({ store: createRestStores(database).idempotency, keys: [secret] }),
    routes: [...accounts.routes, ...noteRoutes(db, accounts.users)],
    mapError: toRetryable,
  })
  const handle = createFetchHandler(api, {
    mount: '/api/v1',
    clientAddress: ({ headers }) => headers.get('x-client') ?? '192.0.2.1',
  })

  async function call(method: string, path: string, { token, json, headers }: RequestOptions = {}) {
    const response = await handle(
      new Request(`${base}/api/v1${path}`, {
        method,
        headers: {
          host: new URL(base).host,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
    )
    const text = await response.text()
    const parsed = JSON.parse(text || '{}') as Answer
    const list = Array.isArray(parsed.data) ? (parsed.data as Answer['list']) : []
    return { ...parsed, list, status: response.status, headers: response.headers, text }
  }

  async function logIn({ email, password }: Credentials): Promise<TestUser> {
    const { status, data, text } = await call('POST', '/sessions', { json: { email, password } })
    if (status !== 201) throw new Error(`No session: ${text}`)
    const { id, user_id, access_token, refresh_token } = data as Readonly<Record<string, string>>
    return {
      ...{ id: user_id!, email, password },
      ...{ token: access_token!, session: id!, refreshToken: refresh_token! },
    }
  }

  let users = 0
  async function user(name = 'Somebody'): Promise<TestUser> {
    users += 1
    const account = { email: `user${users}@example.com`, password: `password ${users}`, name }
    const { status, text } = await call('POST', '/users', { json: account, token: admin?.token })
    if (status !== 201) throw new Error(`No user: ${text}`)
    return logIn(account)
  }

  const credentials = { email: 'admin@example.com', password: 'a password of the admin' }
  await accounts.ensureAdmin(credentials)
  const admin: TestUser | undefined = await logIn(credentials)
  return { admin, accounts, database, call, user, logIn }
}
