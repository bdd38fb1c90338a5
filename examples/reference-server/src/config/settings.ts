import type { z } from 'zod'
import {
  busUrl,
  bytesIn,
  chatAddresses,
  choice,
  flag,
  httpAddress,
  integer,
  list,
  listenAddress,
  origin,
  origins,
  postgresUrl,
  publicOrigin,
  role,
  share,
  size,
  text,
  trustProxy,
} from './setting-types.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const registrationModes = ['open', 'closed', 'invite'] as const

/** The environment variables that are settings, with their defaults as text. `secretList` has the secrets. */
export const settingSchemas = {
  NODE_ENV: text().prefault('development').describe('`production` refuses generated secrets'),
  PORT: integer(0, 65_535).prefault('3111').describe('The port; 0 selects a free port'),
  HOST: listenAddress
    .prefault('::')
    .describe('The address to listen on; `::` is every address, IPv4 included'),
  DATA_DIR: text('a path')
    .prefault('./data')
    .describe(
      'The folder of the SQLite file and, in development, of `secrets.json`; created with mode 0700. Unused in production with DATABASE_URL',
    ),
  ROLE: role
    .prefault('all')
    .describe(
      'The tasks of the process; processes with different roles on one database share the work. In production, other values than `all` need DATABASE_URL',
    ),
  DATABASE_URL: postgresUrl
    .optional()
    .describe(
      'The PostgreSQL database. The URL must name the database unless PGDATABASE does. Default: a SQLite file in DATA_DIR',
    ),
  MIGRATE: flag
    .prefault('1')
    .describe(
      '`0` runs no migrations on PostgreSQL; the server then refuses to start if a migration is missing',
    ),
  BUS_URL: busUrl('bus')
    .optional()
    .describe('The bus that receives events. Default: a table in the database'),
  BUS_EVENT_LIMIT: size
    .refine((bytes) => bytes > 0, 'has to be 1b at least')
    .optional()
    .describe(
      'The largest event on the bus at BUS_URL and in the queue at QUEUE_URL; a larger event is published with a reference (`dataref`) instead of its data. Default: the limit of the engine',
    ),
  ROUTES_FILE: text('a path')
    .optional()
    .describe(
      'A JSON or YAML file with routes of events to several buses. Default: all events go to the bus at BUS_URL',
    ),
  QUEUE_URL: busUrl('queue')
    .optional()
    .describe('The shared queue for QUEUE_PILOTS. Default: a table in the database'),
  INBOUND_QUEUE_URL: busUrl('deliveries')
    .optional()
    .describe(
      'A queue of deliveries that API Gateway wrote, for services that never send again; the role `gateway` takes them. Default: deliveries arrive by HTTP only',
    ),
  PROVIDERS: list
    .optional()
    .describe(
      'The providers to register. Default: every built-in provider with a secret in the environment or SECRETS_DIR, and of SECRETS_COMMAND `tasks`, `messaging`, `deploy` and `codehost`',
    ),
  PROVIDER_MODULES: list
    .optional()
    .describe(
      'Modules, by name or path, whose default export is a provider or a list of providers; PROVIDERS may name these providers. A provider with the name of a built-in one replaces it',
    ),
  GENERIC_PROVIDERS: text('a JSON list or a path')
    .optional()
    .describe(
      'Services that sign with HMAC or by Standard Webhooks, as a JSON list or a file with one; PROVIDERS may name these services',
    ),
  PROVIDER_ONLY: list
    .prefault('')
    .describe(
      'The kinds to record, such as `github/push` or `github/pull_request.*`; a provider without an entry records all kinds. Default: none',
    ),
  ALLOW_UNSIGNED: list
    .prefault('')
    .describe(
      'Providers to register although their signature does not cover the whole body, so that deliveries may be forged. Default: none',
    ),
  MANUAL_TESTS_OFF: list
    .prefault('')
    .describe(
      'Providers that treat a manual test, `{"type": "<kind>", "payload": {…}}`, like any other delivery; `all` for all providers. Default: none',
    ),
  WEBHOOK_BODY_LIMIT: size
    // An address may have 64 MiB of bodies in memory. A larger body would be answered with 503 forever.
    .refine((bytes) => bytes > 0 && bytes <= 64 * bytesIn.mb, 'has to be from 1b to 64mb')
    .prefault('1mb')
    .describe('The largest webhook body, up to `64mb`; a provider may set another limit'),
  LIMITER_ALLOW_VERIFIED: flag
    .prefault('0')
    .describe(
      '`1` accepts verified deliveries from a blocked address. For services that send from addresses shared by their customers',
    ),
  ENDPOINT_RATE_LIMIT: integer(1, 10_000_000)
    .prefault('6000')
    .describe('Verified deliveries per endpoint, minute and process; more are answered with 429'),
  DISABLED_ENDPOINT_STATUS: choice(['404', '410'])
    .prefault('410')
    .describe('The status of responses to deliveries for a disabled endpoint'),
  ENDPOINTS_FILE: text('a path')
    .optional()
    .describe(
      'A JSON or YAML file with endpoints, which is read again when it changes. Default: the API manages all endpoints',
    ),
  QUEUE_PILOTS: list
    .prefault('')
    .describe('Providers whose queueable events use the shared queue. Default: none'),
  BUS_TIMEOUT_MS: integer(1, 10_000)
    .prefault('5000')
    .describe('The timeout of one publish attempt, in milliseconds'),
  RETENTION_DAYS: integer(1, 36_500).prefault('14').describe('Retention of published events, in days'),
  BODY_RETENTION_DAYS: integer(0, 36_500).prefault('7').describe('Retention of raw webhook bodies, in days'),
  BODY_MAX_BYTES: size
    .prefault('10gb')
    .describe('The largest total size of stored raw bodies, compressed; the oldest bodies are deleted first'),
  DEDUPE_DAYS: integer(1, 36_500)
    .prefault('90')
    .describe(
      'Retention of idempotency keys, in days: a redelivery within this time is a duplicate. At least RETENTION_DAYS',
    ),
  MAX_EVENT_AGE_DAYS: integer(1, 36_500)
    .optional()
    .describe(
      'Quarantines deliveries whose signed time is older, in days. Use at most DEDUPE_DAYS, so that an old captured delivery cannot become a new event',
    ),
  AUDIT_RETENTION_DAYS: integer(1, 36_500)
    .prefault('90')
    .describe('Retention of the audit log, in days: what operators replayed, erased and changed'),
  KEEP_UNPROCESSED_HOURS: integer(0, 168)
    .prefault('0')
    .describe(
      'The time for which ignored deliveries and deliveries with an invalid signature are kept to inspect and replay them, in hours; `0` keeps none',
    ),
  KEEP_UNPROCESSED_BYTES: size
    .refine((bytes) => bytes >= bytesIn.mb, 'has to be 1mb at least')
    .prefault('100mb')
    .describe(
      'The largest total size of these deliveries, a half each for ignored and refused ones; beyond it, the address with the most bytes loses its oldest',
    ),
  KEEP_UNPROCESSED_BODY_BYTES: size
    .refine((bytes) => bytes > 0 && bytes <= bytesIn.mb, 'has to be from 1b to 1mb')
    .prefault('256kb')
    .describe(
      'The largest body to keep, up to `1mb`; a longer body is cut, and its delivery cannot be replayed',
    ),
  JSON_BODY_LIMIT: size
    .refine((bytes) => bytes > 0, 'has to be 1b at least')
    .prefault('10kb')
    .describe('The largest JSON body of the REST API'),
  RATE_LIMIT: integer(1, 1_000_000).prefault('600').describe('REST API requests per client and minute'),
  RATE_LIMIT_AUTH: integer(1, 1_000_000)
    .prefault('20')
    .describe(
      'Registrations, logins and token refreshes, each per address and minute; password changes per user and minute',
    ),
  REGISTRATION: choice(registrationModes)
    .optional()
    .describe(
      'Who may register: `open` everyone, `closed` only an admin registers users, `invite` everyone with an invitation of an admin. Default: `open`, with a notice in production',
    ),
  REQUIRE_CURRENT_PASSWORD: flag
    .prefault('0')
    .describe('`1` requires `current_password` to change a password or an e-mail address'),
  TRUST_PROXY: trustProxy
    .optional()
    .describe(
      'The proxies whose X-Forwarded-For is trusted: their number, up to 99, or their addresses (CIDR ranges, `loopback`, `linklocal`, `uniquelocal`). Default: none',
    ),
  CORS_ORIGINS: origins
    .optional()
    .describe(
      'The origins whose scripts may use the REST API in a browser; `*` is every origin. Default: none',
    ),
  CONSOLE: flag
    .prefault('1')
    .describe('`0` serves no console at `/console`. Its files have no data; the API checks every request'),
  OPERATOR_URL: httpAddress
    .optional()
    .describe(
      'The URL that receives notifications and alerts by POST. Default: notifications go to the log, with the text at debug level',
    ),
  ALERT_URLS: chatAddresses
    .optional()
    .describe(
      'Webhooks of Slack, Discord and Teams that receive alerts, as OPERATOR_URL does. Default: no alerts in a chat',
    ),
  ALERT_PENDING_SECONDS: integer(1, 86_400)
    .prefault('300')
    .describe('The age of the oldest pending event that causes an alert, in seconds'),
  PUBLIC_URL: publicOrigin
    .optional()
    .describe('The public origin of the server, for links and for schemes that sign the URL'),
  JWT_ISSUER: text().prefault('sallyport').describe('`iss` of access tokens'),
  JWT_AUDIENCE: text().prefault('sallyport').describe('`aud` of access tokens'),
  SECRETS_DIR: text('a path')
    .optional()
    .describe('A folder with one file per secret; the file is named like the variable'),
  SECRETS_COMMAND: text('a command of the shell')
    .optional()
    .describe(
      'A command that prints a secret; its last argument is the name of the secret. It may fail for a secret that it does not have',
    ),
  SECRETS_LEASE_SECONDS: integer(1, 604_800)
    .prefault('3600')
    .describe('The time after which SECRETS_COMMAND runs again, in seconds'),
  METRICS_PORT: integer(0, 65_535)
    .optional()
    .describe('The port of `/metrics` for Prometheus. Default: no metrics'),
  METRICS_HOST: listenAddress
    .prefault('127.0.0.1')
    .describe('The address on which `/metrics` listens. `/metrics` has no authentication'),
  OTEL_EXPORTER_OTLP_ENDPOINT: origin
    .optional()
    .describe('The OTLP endpoint for traces, over HTTP (protobuf). Default: no traces'),
  OTEL_SERVICE_NAME: text().prefault('sallyport').describe('The name of the service in traces'),
  OTEL_TRACES_SAMPLER_ARG: share.prefault('1').describe('The fraction of deliveries to trace'),
  DRAIN_SECONDS: integer(0, 3599)
    .prefault('0')
    .describe(
      'After SIGTERM, the time for which the server still accepts requests while `/ready` is 503, in seconds',
    ),
  SHUTDOWN_SECONDS: integer(1, 3600).prefault('10').describe('The longest duration of a stop, in seconds'),
  ACCESS_LOG: flag.prefault('0').describe('`1` logs every request of the REST API at `info`'),
  LOG_LEVEL: choice(logLevels).prefault('info').describe('The lowest level in the log'),
} satisfies Record<string, z.ZodType>

export type Settings = { [Name in keyof typeof settingSchemas]: z.output<(typeof settingSchemas)[Name]> }

/** Reads the settings; an empty variable counts as unset. Each problem is one line. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): {
  readonly settings: Settings
  readonly problems: readonly string[]
} {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, schema] of Object.entries(settingSchemas)) {
    const result = schema.safeParse(environment[name] === '' ? undefined : environment[name])
    if (result.success) values[name] = result.data
    else for (const { message } of result.error.issues) problems.push(`${name} ${message}`)
  }
  // Complete unless there are problems.
  return { settings: values as Settings, problems }
}

/** The secrets of the server with their descriptions; `<PROVIDER>` is the name of a provider. */
export const secretList = {
  JWT_SECRET:
    'At least 32 bytes. Signs access tokens; creates refresh tokens, cursors and fingerprints of idempotent requests. Required in production',
  JWT_KEYS: 'Private keys, as PEM or JSON Web Keys, that sign access tokens instead of JWT_SECRET',
  'WEBHOOK_SECRET_<PROVIDER>':
    'The signing secret of a provider; its name is upper-case, with underscores for dashes',
  'BUS_URL_<NAME>': 'The address of a further bus, in the forms of BUS_URL; required if ROUTES_FILE names it',
  ENCRYPTION_KEYS:
    '32 bytes each, in base64 or hexadecimal, newest first. Encrypt the secrets of endpoints; the first encrypts, all decrypt. Without a key, no endpoint can be created',
  OPERATOR_SECRET:
    '`whsec_` and base64. Signs notifications and alerts to OPERATOR_URL; required with OPERATOR_URL',
  ADMIN_EMAIL:
    'The email address of the first admin. The server creates the account if the address is unused',
  ADMIN_PASSWORD: 'The initial password of the first admin, 8 to 128 characters; required with ADMIN_EMAIL',
} as const
