import { signDelivery, type AnyProvider, type SignedDelivery } from '@sallyport/webhooks'
import { readHeaders } from './captured-headers.ts'
import { resolveWebhook } from './endpoint.ts'
import { getRecordedHeaders } from './forward/forward-delivery.ts'
import { CommandError, failure, printable, success, usage, type Io } from './io.ts'
import { describeNeutral, findProvider, listKinds } from './provider.ts'
import { getInputName, maxBodyBytes, readInput } from './read-input.ts'
import { post } from './request.ts'
import { parseOutcome, type Outcome } from './response.ts'
import { findSecret } from './secret.ts'
import {
  createTestDelivery,
  listSampleKinds,
  type TestDelivery,
  type TestDeliveryOptions,
} from './test-delivery.ts'

export interface SendOptions extends TestDeliveryOptions {
  /** The URL of the webhook, or the origin of the server. */
  readonly url?: string
  /** The id of an endpoint at the origin of the server. */
  readonly endpoint?: string
  /** A file with a recorded body, which is sent as it is. */
  readonly raw?: string
  /** The file with the headers of the recorded body. */
  readonly headers?: string
}

/**
 * Sends a signed test delivery and prints the outcome.
 *
 * @throws CommandError if nothing can be sent or the server rejects the delivery
 */
export async function send(
  name: string,
  kind: string | undefined,
  options: SendOptions,
  io: Io,
): Promise<number> {
  const provider = await findProvider(name, io.env)
  const endpoint = resolveWebhook(name, options, io.env)
  const { description, headers, body } = await createDelivery(provider, kind, options, io)
  const secret = await findSecret(provider, io.env)

  const delivery = { method: 'POST', headers: new Headers(headers), body, url: endpoint.href }
  const signed = await sign(provider, delivery, secret, io)

  io.out(`Sending ${kind === undefined ? name : `${name}/${kind}`} to ${endpoint.href}`)
  io.out(`  ${description}, ${signed.body.length} bytes, signed with ${secret.from}`)
  const response = await post(
    new URL(signed.url ?? endpoint),
    { ...headers, ...signed.headers },
    signed.body,
    io,
  )
  const outcome = parseOutcome(response, name, secret)
  for (const line of describe(response.status, outcome)) io.out(line)
  return outcome.status === 'accepted' || outcome.status === 'duplicate' ? success : failure
}

async function createDelivery(
  provider: AnyProvider,
  kind: string | undefined,
  options: SendOptions,
  io: Io,
): Promise<TestDelivery> {
  const { raw, headers, payload, fresh } = options
  if (raw !== undefined) {
    if (kind !== undefined || payload !== undefined || fresh === true)
      throw new CommandError(
        usage,
        'Recorded bytes have a kind already',
        'Omit --raw, or the kind, --payload and --fresh.',
      )
    return await readRawDelivery(raw, headers, io)
  }
  if (headers !== undefined)
    throw new CommandError(usage, '--headers needs --raw', 'Add --raw with the file of the body.')
  const neutral = describeNeutral(provider)
  if (kind === undefined)
    throw new CommandError(
      usage,
      'The kind is missing',
      ...(neutral === undefined ? [] : [`${provider.name} is ${neutral}`]),
      `Known kinds: ${await listSampleKinds(provider)}`,
      'Or add --raw to send a recorded body. Add --help for the arguments.',
    )
  if (!('service' in provider) && !Object.hasOwn(provider.events, kind))
    throw new CommandError(
      usage,
      `${provider.name} has no kind "${printable(kind, 64)}"`,
      `Known kinds: ${listKinds(provider)}`,
    )
  return await createTestDelivery(provider, kind, options, io)
}

/** Reads a recorded body and its headers. */
async function readRawDelivery(raw: string, headers: string | undefined, io: Io): Promise<TestDelivery> {
  const recorded =
    headers === undefined
      ? { 'content-type': 'application/json' }
      : Object.fromEntries(await readHeaders(headers, io))
  return {
    description: `the bytes of ${getInputName(raw)}`,
    headers: getRecordedHeaders({ headers: recorded }),
    body: await readInput(raw, maxBodyBytes, io),
  }
}

async function sign(
  { name, signature }: AnyProvider,
  delivery: Parameters<AnyProvider['signature']['sign']>[0],
  secret: { readonly value: string; readonly from: string },
  io: Io,
): Promise<SignedDelivery> {
  // The server only verifies, so the check of a module does not require `sign`.
  if (typeof (signature as Partial<typeof signature>).sign !== 'function') {
    throw new CommandError(
      usage,
      `The provider "${name}" cannot sign deliveries`,
      'Its signature needs a function "sign"',
    )
  }
  try {
    return await signDelivery(signature, delivery, secret.value, io.now())
  } catch {
    // The error is dropped because it may quote the secret.
    throw new CommandError(usage, `${secret.from} is not a secret that this provider can sign with`)
  }
}

function* describe(code: number, { status, events }: Outcome): Generator<string> {
  yield `${code} ${status}`
  for (const { id, name, duplicate } of events) {
    yield `  ${printable(name)}  ${printable(id)}  ${duplicate ? 'duplicate' : 'new'}`
  }
  switch (status) {
    case 'accepted':
      break
    case 'duplicate':
      yield 'The server has recorded the event before and does not publish it again. Add --fresh to send another event.'
      break
    case 'ignored':
      yield 'The signature is valid, but the server makes no event from this delivery.'
      break
    case 'quarantined':
      yield 'The signature is valid, but the delivery cannot be normalized or its event is too old (add --fresh). The server stores it until it is replayed.'
  }
}
