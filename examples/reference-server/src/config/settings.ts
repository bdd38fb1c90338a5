import type { z } from 'zod'
import { buses } from '../engines/buses.ts'
import { engineUrl } from '../engines/engine-url.ts'
import { queues } from '../engines/queues.ts'
import {
  bytesIn,
  choice,
  flag,
  httpAddress,
  integer,
  list,
  listenAddress,
  origin,
  postgresUrl,
  publicOrigin,
  role,
  share,
  size,
  text,
  trustProxy,
} from './values.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Every environment variable that is a setting, with what it defaults to as its text; secrets have a list of their own. */
export const settingSchemas = {
  NODE_ENV: text().prefault('development').describe('`production` takes no generated secrets'),
  PORT: integer(0, 65_535).prefault('3111').describe('The port; 0 lets the system choose'),
  HOST: listenAddress.prefault('::').describe('The address to listen on; `::` is every one, IPv4 too'),
  DATA_DIR: text('a path')
    .prefault('./data')
    .describe(
      'Where the SQLite file is and, in development, `secrets.json`; created for its owner alone. Not used with DATABASE_URL in production',
    ),
  ROLE: role
    .prefault('all')
    .describe('What the process does; processes of different roles on one database share the work'),
  DATABASE_URL: postgresUrl
    .optional()
    .describe(
      'The PostgreSQL database, by its name too, unless PGDATABASE has that; without it, everything is in a SQLite file',
    ),
  MIGRATE: flag
    .prefault('1')
    .describe('`0` leaves the tables of PostgreSQL to a tool of yours, and starts with none that are behind'),
  BUS_URL: engineUrl(buses)
    .optional()
    .describe('The bus that events are published on; without it, they are in the database'),
  QUEUE_URL: engineUrl(queues)
    .optional()
    .describe('The shared queue of QUEUE_PILOTS; without it, it is in the database'),
  PROVIDERS: list
    .optional()
    .describe(
      'Names of the providers to register; without it, those of `tasks`, `messaging`, `deploy` and `codehost` that have a secret',
    ),
  PROVIDER_MODULES: list
    .optional()
    .describe('Modules, by name or path, whose default exports are providers that PROVIDERS may name'),
  WEBHOOK_BODY_LIMIT: size
    // The bodies of one address have no more room: a larger one would be told to come again for ever.
    .refine((bytes) => bytes > 0 && bytes <= 64 * bytesIn.mb, 'has to be from 1b to 64mb')
    .prefault('1mb')
    .describe('Largest webhook body, up to `64mb`, unless the provider says otherwise'),
  LIMITER_ALLOW_VERIFIED: flag
    .prefault('0')
    .describe(
      '`1` lets verified deliveries of a blocked address pass: for services whose customers share addresses to send from',
    ),
  QUEUE_PILOTS: list
    .prefault('')
    .describe('Providers whose queueable events go through the shared queue; without it, none'),
  BUS_TIMEOUT_MS: integer(1, 10_000)
    .prefault('5000')
    .describe('How long one attempt to publish may take, in milliseconds'),
  RETENTION_DAYS: integer(1, 36_500)
    .prefault('14')
    .describe('How many days the record of a published event is kept'),
  BODY_RETENTION_DAYS: integer(0, 36_500)
    .prefault('7')
    .describe('How many days raw bodies of webhooks are kept'),
  BODY_MAX_BYTES: size
    .prefault('10gb')
    .describe('How much of raw bodies is kept, as they are stored; the oldest go first'),
  DEDUPE_DAYS: integer(1, 36_500)
    .prefault('90')
    .describe(
      'How many days the key of an event is kept: what comes again within them is a duplicate. At least RETENTION_DAYS',
    ),
  MAX_EVENT_AGE_DAYS: integer(1, 36_500)
    .optional()
    .describe(
      'Deliveries of older events, by their signed time, are quarantined. DEDUPE_DAYS or less closes the door to what was captured long ago',
    ),
  JSON_BODY_LIMIT: size
    .refine((bytes) => bytes > 0, 'has to be 1b at least')
    .prefault('10kb')
    .describe('Largest JSON body of the REST API'),
  RATE_LIMIT: integer(1, 1_000_000).prefault('600').describe('Requests to the REST API, a client and minute'),
  RATE_LIMIT_AUTH: integer(1, 1_000_000)
    .prefault('20')
    .describe(
      'Registrations, logins and refreshed tokens, of each an address and minute; passwords that a user sets in one',
    ),
  TRUST_PROXY: trustProxy
    .optional()
    .describe(
      'Whose X-Forwarded-For counts: how many proxies, up to 99, or which (ranges as CIDR, with a mask, or `loopback`, `linklocal`, `uniquelocal`); without it, nobody’s',
    ),
  OPERATOR_URL: httpAddress
    .optional()
    .describe('Where messages to the operators are posted; without it, they are in the log'),
  PUBLIC_URL: publicOrigin
    .optional()
    .describe('The origin that clients use: for links, and for schemes that sign the address'),
  JWT_ISSUER: text().prefault('sallyport').describe('`iss` of access tokens'),
  JWT_AUDIENCE: text().prefault('sallyport').describe('`aud` of access tokens'),
  SECRETS_DIR: text('a path')
    .optional()
    .describe('A folder with one file per secret, named like the variable'),
  SECRETS_COMMAND: text('a command of the shell')
    .optional()
    .describe(
      'A command that prints the secret whose name is its last argument; it may fail for those that it does not have',
    ),
  SECRETS_LEASE_SECONDS: integer(1, 604_800)
    .prefault('3600')
    .describe('How long a secret that the command printed is used until it is asked for again'),
  METRICS_PORT: integer(0, 65_535)
    .optional()
    .describe('The port of `/metrics`, for Prometheus; without it, there is none'),
  METRICS_HOST: listenAddress
    .prefault('127.0.0.1')
    .describe('The address that `/metrics` is listened for on; whoever reaches it can read it'),
  OTEL_EXPORTER_OTLP_ENDPOINT: origin
    .optional()
    .describe('Where traces go, by OTLP over HTTP (protobuf); without it, nowhere'),
  OTEL_SERVICE_NAME: text().prefault('sallyport').describe('What traces call this service'),
  OTEL_TRACES_SAMPLER_ARG: share.prefault('1').describe('The share of deliveries that are traced'),
  DRAIN_SECONDS: integer(0, 3599)
    .prefault('0')
    .describe(
      'For how long a server that is stopped still takes requests, while it says that it is not ready',
    ),
  SHUTDOWN_SECONDS: integer(1, 3600).prefault('10').describe('How long a stop may take'),
  LOG_LEVEL: choice(logLevels).prefault('info').describe('What the log has: this, and what is worse'),
} satisfies Record<string, z.ZodType>

export type Settings = { [Name in keyof typeof settingSchemas]: z.output<(typeof settingSchemas)[Name]> }

/** Reads the settings; an empty variable counts as unset. Every problem is reported, a line each. */
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
  // Each value is the output of the schema of the same name; with problems it is not used.
  return { settings: values as Settings, problems }
}
