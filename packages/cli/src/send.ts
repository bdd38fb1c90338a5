import { builtInProviders } from '@sallyport/providers'
import { readGenericServices } from '@sallyport/providers/generic'
import { signDelivery, type AnyProvider, type SignedDelivery } from '@sallyport/webhooks'
import { loadProviderModules } from '@sallyport/webhooks/node'
import { resolveEndpoint } from './endpoint.ts'
import { CommandError, failure, printable, success, usage, type Io } from './io.ts'
import { post } from './request.ts'
import { parseOutcome, type Outcome } from './response.ts'
import { findSecret } from './secret.ts'
import { createTestDelivery, type TestDeliveryOptions } from './test-delivery.ts'

export interface SendOptions extends TestDeliveryOptions {
  /** The address of the server or of the endpoint. */
  readonly url?: string
}

/**
 * Sends a signed test delivery and prints the outcome.
 *
 * @returns the exit code
 * @throws CommandError if nothing can be sent or the server rejects the delivery
 */
export async function send(name: string, kind: string, options: SendOptions, io: Io): Promise<number> {
  const provider = await findProvider(name, io.env)
  if (!('service' in provider) && !Object.hasOwn(provider.events, kind)) {
    throw new CommandError(
      usage,
      `${name} has no kind "${printable(kind, 64)}"`,
      `Known kinds: ${listKinds(provider)}`,
    )
  }
  const endpoint = resolveEndpoint(name, options.url, io.env)
  const { description, headers, body } = await createTestDelivery(provider, kind, options, io)
  const secret = await findSecret(name, io.env)

  const delivery = { method: 'POST', headers: new Headers(headers), body, url: endpoint.href }
  const signed = await sign(provider, delivery, secret, io)

  io.out(`Sending ${name}/${kind} to ${endpoint.href}`)
  io.out(`  ${description}, ${signed.body.length} bytes, signed with ${secret.from}`)
  const response = await post(endpoint, { ...headers, ...signed.headers }, signed.body, io)
  const outcome = parseOutcome(response, name, secret)
  for (const line of describe(response.status, outcome)) io.out(line)
  return outcome.status === 'accepted' || outcome.status === 'duplicate' ? success : failure
}

/** Lists the built-in providers: one line per normalized provider with its kinds, and one line with the services. */
export function listProviders(): readonly string[] {
  const [services, normalized] = [true, false].map((isService) =>
    builtInProviders.filter((provider) => 'service' in provider === isService),
  )
  return [
    ...(normalized ?? []).map((provider) => `${provider.name}: ${listKinds(provider)}`),
    `every event of: ${(services ?? []).map(({ name }) => name).join(', ')}`,
  ]
}

const listKinds = ({ events }: AnyProvider): string => Object.keys(events).join(', ')

/** Finds a built-in provider, one of the modules, or a generic one. Problems of others do not matter. */
async function findProvider(name: string, env: Io['env']): Promise<AnyProvider> {
  const builtIn = builtInProviders.find((one) => one.name === name)
  if (builtIn) return builtIn
  const modules = await loadProviderModules(env['PROVIDER_MODULES'], '.')
  const [named, another] = modules.providers.filter((one) => one.name === name)
  if (named && !another) return named
  const problems = another ? [`there is a provider "${name}" already`] : modules.problems
  if (problems.length > 0) {
    const [first = '', ...others] = problems.map((problem) => printable(`PROVIDER_MODULES: ${problem}`))
    throw new CommandError(usage, first, ...others)
  }
  const generic = await readGenericServices(env['GENERIC_PROVIDERS'])
  const described = generic.providers.find((one) => one.name === name)
  if (described) return described
  if (generic.problems.length > 0) {
    const [first = '', ...others] = generic.problems.map((problem) =>
      printable(`GENERIC_PROVIDERS: ${problem}`),
    )
    throw new CommandError(usage, first, ...others)
  }
  const names = [...builtInProviders, ...modules.providers, ...generic.providers]
    .map((one) => one.name)
    .join(', ')
  throw new CommandError(usage, `There is no provider "${printable(name, 64)}"`, `Known providers: ${names}`)
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
