import { builtInSamples } from '@sallyport/providers/samples'
import { parseJson, type AnyProvider, type Service } from '@sallyport/webhooks'
import { CommandError, usage, type Io } from './io.ts'
import { getInputName, maxBodyBytes, readInput } from './read-input.ts'

/** A delivery before it is signed. */
export interface TestDelivery {
  /** A sample of the provider or a payload of the user, in words. */
  readonly description: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface TestDeliveryOptions {
  /** A JSON file, or `-` for standard input. @default a sample of the provider */
  readonly payload?: string
  /** Whether to send another event than before. @default false */
  readonly fresh?: boolean
}

/** Lists the kinds that can be sent: those of the provider, or of the samples of a service. */
export async function listSampleKinds(provider: AnyProvider): Promise<string> {
  if (!('service' in provider)) return Object.keys(provider.events).join(', ')
  const samples = await builtInSamples.get(provider.name)?.()
  return samples?.kinds.join(', ') ?? 'none; set a payload with --payload'
}

/**
 * Creates a test delivery of one kind.
 *
 * @throws CommandError if the payload cannot be read or is not a JSON object
 */
export async function createTestDelivery(
  provider: AnyProvider,
  kind: string,
  options: TestDeliveryOptions,
  io: Io,
): Promise<TestDelivery> {
  const { payload, fresh = false } = options
  const samples = await builtInSamples.get(provider.name)?.()
  if (payload !== undefined && 'service' in provider) {
    const sample = samples?.kinds.includes(kind) ? samples.sample(kind) : undefined
    return {
      description: payload === '-' ? 'the payload from standard input' : `the payload of ${payload}`,
      headers: {
        ...(sample?.headers ?? { 'content-type': 'application/json', ...kindHeader(provider, kind) }),
      },
      body: Buffer.from(await readPayload(payload, io)),
    }
  }
  if (payload !== undefined) {
    const before = `{"type":${JSON.stringify(kind)},"payload":`
    const behind = fresh ? `,"id":${JSON.stringify(io.randomUUID())}}` : '}'
    return {
      description: payload === '-' ? 'the payload from standard input' : `the payload of ${payload}`,
      headers: { 'content-type': 'application/json', 'user-agent': 'sallyport' },
      body: Buffer.from(before + (await readPayload(payload, io)) + behind),
    }
  }
  if (!samples?.kinds.includes(kind)) {
    const known = samples ? [`Samples: ${samples.kinds.join(', ')}`] : []
    throw new CommandError(usage, `There is no sample of ${kind}`, ...known, 'Set a payload with --payload.')
  }
  const { headers, body } = samples.sample(kind, { fresh, now: io.now, randomUUID: io.randomUUID })
  return {
    description: fresh ? 'a fresh sample' : 'a sample',
    headers,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  }
}

/** Returns the header of a service that writes the kind into one header. */
function kindHeader(provider: AnyProvider, kind: string): Readonly<Record<string, string>> {
  const [source, ...others] = [(provider as unknown as Service).service.kind].flat()
  return typeof source === 'object' && others.length === 0 ? { [source.header]: kind } : {}
}

/** Returns the text unchanged, because parsing and serializing would change large numbers. */
async function readPayload(file: string, io: Io): Promise<string> {
  const name = getInputName(file)
  const bytes = await readInput(file, maxBodyBytes, io)
  let value: unknown
  try {
    value = parseJson(bytes)
  } catch {
    throw new CommandError(usage, `${name} is not JSON in UTF-8`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(usage, `${name} is not a JSON object`)
  }
  // Remove a byte order mark, which is invalid inside the body.
  return new TextDecoder().decode(bytes).trim()
}
