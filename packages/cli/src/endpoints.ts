import { z } from 'zod'
import { envelopeSchema, requestApi, type ApiOptions } from './api.ts'
import { CommandError, print, printable, printableJson, success, usage, type Io } from './io.ts'

const endpoint = envelopeSchema(
  z.looseObject({
    id: z.string(),
    provider: z.string(),
    name: z.string(),
    status: z.string(),
    url: z.string(),
    secrets: z.array(z.looseObject({ id: z.string(), created_at: z.string() })),
    secret: z.string().nullish(),
  }),
)
const addedSecret = envelopeSchema(z.looseObject({ id: z.string(), secret: z.string().nullable() }))

const pathOf = (id: string, rest = '') => `/endpoints/${encodeURIComponent(id)}${rest}`

function* describe({ id, provider, status, name, url, secrets }: z.infer<typeof endpoint>['data']) {
  yield [id, provider, status, name].map((text) => printable(text)).join('  ')
  yield `  ${printable(url)}`
  for (const secret of secrets)
    yield `  secret ${printable(secret.id)}, since ${printable(secret.created_at)}`
}

interface CreateEndpointOptions extends ApiOptions {
  /** Labels, each as `name=value`. @default none */
  readonly label?: readonly string[]
}

/** @throws CommandError for a text without a name and a value */
function toLabel(text: string): readonly [string, string] {
  const [name = '', value] = text.split(/=(.*)/s, 2)
  if (name === '' || value === undefined)
    throw new CommandError(usage, `--label ${printable(text)} is not a name and a value, such as region=eu`)
  return [name, value]
}

/** Creates an endpoint, and prints its generated secret once on standard output. */
export async function createEndpoint(
  provider: string,
  name: string,
  options: CreateEndpointOptions,
  io: Io,
): Promise<number> {
  const labels = Object.fromEntries((options.label ?? []).map(toLabel))
  const json = { provider, name, labels }
  const { data } = await requestApi({ method: 'POST', path: '/endpoints', json }, endpoint, options, io)
  if (options.json === true) {
    io.out(printableJson(data))
    return success
  }
  io.err(`Created ${printable(data.id)} at ${printable(data.url)}`)
  if (typeof data.secret === 'string') {
    io.err('The secret is shown once:')
    io.out(printable(data.secret))
  } else io.err('The service creates the secret: add it in the console, or wait for the handshake.')
  return success
}

/** Prints an endpoint with the ids of its secrets. */
export async function showEndpoint(id: string, options: ApiOptions, io: Io): Promise<number> {
  const { data } = await requestApi({ method: 'GET', path: pathOf(id) }, endpoint, options, io)
  return print(data, describe(data), options, io)
}

/** Enables or disables an endpoint. */
export async function setEndpointStatus(
  id: string,
  status: 'active' | 'disabled',
  options: ApiOptions,
  io: Io,
): Promise<number> {
  const request = { method: 'PATCH', path: pathOf(id), json: { status } } as const
  const { data } = await requestApi(request, endpoint, options, io)
  return print(data, describe(data), options, io)
}

/** Deletes an endpoint and its secrets. @returns the exit code @throws CommandError without `yes` */
export async function deleteEndpoint(
  id: string,
  options: ApiOptions & { readonly yes?: boolean },
  io: Io,
): Promise<number> {
  if (options.yes !== true)
    throw new CommandError(
      usage,
      'The secrets of an endpoint are deleted for good',
      'Add --yes to delete it.',
    )
  await requestApi({ method: 'DELETE', path: pathOf(id) }, z.undefined(), options, io)
  io.out(`Deleted ${printable(id)}`)
  return success
}

/** Adds a generated secret to an endpoint, and prints it once on standard output. */
export async function addSecret(id: string, options: ApiOptions, io: Io): Promise<number> {
  const request = { method: 'POST', path: pathOf(id, '/secrets'), json: {} } as const
  const { data } = await requestApi(request, addedSecret, options, io)
  if (options.json === true) io.out(printableJson(data))
  else {
    io.err(`Added ${printable(data.id)}. The secret is shown once:`)
    io.out(printable(data.secret ?? ''))
  }
  return success
}

/** Removes a secret of an endpoint. */
export async function removeSecret(id: string, secret: string, options: ApiOptions, io: Io): Promise<number> {
  const path = pathOf(id, `/secrets/${encodeURIComponent(secret)}`)
  await requestApi({ method: 'DELETE', path }, z.undefined(), options, io)
  io.out(`Removed ${printable(secret)}`)
  return success
}
