import { readFileSync } from 'node:fs'
import { createNameFilter } from '@sallyport/internal/name-filter'
import { destinationSchema, type DestinationDeclaration } from '@sallyport/webhooks/filter'
import { z } from 'zod'
import { describeUnreadableFile, parseDeclarations } from '@sallyport/internal/declaration-file'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import { busUrl as createBusUrl } from '../config/address-types.ts'

/** Events for a bus. An event goes to the buses of all routes whose conditions it meets. */
export interface BusRoute {
  /** `database`, or the name of the variable with the address of the bus. */
  readonly to: string
  /** The address of the bus; undefined for the database. */
  readonly url?: string
  readonly events?: readonly string[]
  readonly endpoints?: readonly string[]
  /** Paths of values that the bus does not receive. */
  readonly redact?: readonly string[]
}

export interface RoutesFileOptions {
  readonly path: string
  /** The address of the setting BUS_URL. */
  readonly busUrl: string | undefined
  /** Has the addresses of further buses. */
  readonly secrets: Pick<SecretStore, 'one' | 'failure'>
  /** The names of all providers. */
  readonly providers: readonly string[]
}

const database = 'database'

const fileSchema = z.strictObject({
  routes: z
    .array(
      z.strictObject({
        to: z.string().regex(/^(?:database|BUS_URL(?:_[A-Z0-9_]{1,60})?)$/, {
          error: 'Must be database, BUS_URL or a variable such as BUS_URL_AUDIT',
        }),
        events: z
          .array(z.string().refine(isPattern, 'Must be like github/push, github/push.* or github/*'))
          .min(1)
          .max(1000)
          .optional(),
        endpoints: z
          .array(z.string().regex(/^[\w-]{1,64}$/, 'Must be the id of an endpoint'))
          .min(1)
          .max(1000)
          .optional(),
        redact: destinationSchema.shape.redact.refine(
          (paths = []) => !paths.some((path) => path.startsWith('header:')),
          'Must not name headers, which events do not have',
        ),
      }),
    )
    .min(1)
    .max(100)
    .default([]),
  destinations: z.array(destinationSchema).max(1000).default([]),
})

const address = createBusUrl('bus')

/** The content of ROUTES_FILE. */
export interface Routes {
  readonly routes: readonly BusRoute[]
  readonly destinations: readonly DestinationDeclaration[]
  readonly problems: readonly string[]
}

export const noRoutes: Routes = { routes: [], destinations: [], problems: [] }

/** Reads and validates ROUTES_FILE with the addresses that it names. No problem quotes an address. */
export function readRoutesFile({ path, busUrl, secrets, providers }: RoutesFileOptions): Routes {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return { ...noRoutes, problems: [describeUnreadableFile('ROUTES_FILE', error)] }
  }
  const parsed = parseDeclarations('ROUTES_FILE', { path, text, schema: fileSchema })
  if (parsed.problems) return { ...noRoutes, problems: parsed.problems }

  const problems: string[] = []
  const readAddress = (name: string): string | undefined => {
    const given = name === 'BUS_URL' ? busUrl : secrets.one(name)
    if (given === undefined) {
      problems.push(secrets.failure(name) ?? `${name} is missing: ROUTES_FILE names it`)
      return undefined
    }
    const { data, error } = address.safeParse(given)
    for (const { message } of error?.issues ?? []) problems.push(`${name} ${message}`)
    return data
  }
  const { routes, destinations } = parsed.data
  if (routes.length + destinations.length === 0)
    problems.push('ROUTES_FILE has neither routes nor destinations')
  for (const [index, { events = [] }] of routes.entries())
    for (const provider of new Set(events.map((pattern) => pattern.slice(0, pattern.indexOf('/')))))
      if (!providers.includes(provider))
        problems.push(`ROUTES_FILE: routes.${index}.events: Names "${provider}", which is not a provider`)
  const names = new Set(routes.map(({ to }) => to))
  const urls = new Map(Array.from(names, (to) => [to, to === database ? undefined : readAddress(to)]))
  if (busUrl !== undefined && routes.length > 0 && !names.has('BUS_URL'))
    problems.push('BUS_URL is set, and no route of ROUTES_FILE leads to it')
  return {
    problems,
    destinations,
    routes: routes.map(({ to, events, endpoints, redact }) => {
      const url = urls.get(to)
      return {
        to,
        ...(url !== undefined && { url }),
        ...(events && { events }),
        ...(endpoints && { endpoints }),
        ...(redact && { redact }),
      }
    }),
  }
}

function isPattern(text: string): boolean {
  try {
    createNameFilter([text])
    return true
  } catch {
    return false
  }
}
