import { builtInProviders } from '@sallyport/providers'
import type { AnyProvider } from '@sallyport/webhooks'
import { loadProviderModules } from '@sallyport/webhooks/node'
import { outcomeOf, type Outcome } from './answer.ts'
import { endpointOf } from './endpoint.ts'
import { CommandError, failure, printable, success, usage, type Io } from './io.ts'
import { post } from './post.ts'
import { findSecret } from './secret.ts'
import { testDelivery, type TestDeliveryOptions } from './test-delivery.ts'

export interface SendOptions extends TestDeliveryOptions {
  /** The server's address, or the whole one of the webhook. */
  readonly url?: string
}

/**
 * Sends a signed test delivery and tells what became of it.
 *
 * @returns the exit code
 * @throws CommandError when nothing can be sent, or the delivery is refused
 */
export async function send(name: string, kind: string, options: SendOptions, io: Io): Promise<number> {
  const provider = await knownProvider(name, io.env)
  if (!Object.hasOwn(provider.events, kind)) {
    throw new CommandError(
      usage,
      `${name} has no kind "${printable(kind, 64)}"`,
      `Known kinds: ${kindsOf(provider)}`,
    )
  }
  const endpoint = endpointOf(name, options.url, io.env)
  const { description, headers, body } = await testDelivery(provider, kind, options, io)
  const secret = await findSecret(name, io.env)

  const delivery = { method: 'POST', headers: new Headers(headers), body, url: endpoint.href }
  const signature = await sign(provider, delivery, secret, io)

  io.out(`Sending ${name}/${kind} to ${endpoint.href}`)
  io.out(`  ${description}, ${body.length} bytes, signed with ${secret.from}`)
  const answer = await post(endpoint, { ...headers, ...signature }, body, io)
  const outcome = outcomeOf(answer, name, secret)
  for (const line of describe(outcome)) io.out(line)
  return outcome.status === 'accepted' || outcome.status === 'duplicate' ? success : failure
}

/** The providers and their kinds, a line each. */
export function listOfProviders(): readonly string[] {
  return builtInProviders.map((provider) => `${provider.name}: ${kindsOf(provider)}`)
}

const kindsOf = ({ events }: AnyProvider): string => Object.keys(events).join(', ')

/** A provider of ours, or else of the modules that the server loads too: what is wrong with others is its matter. */
async function knownProvider(name: string, env: Io['env']): Promise<AnyProvider> {
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
  const names = [...builtInProviders, ...modules.providers].map((one) => one.name).join(', ')
  throw new CommandError(usage, `There is no provider "${printable(name, 64)}"`, `Known providers: ${names}`)
}

async function sign(
  { name, signature }: AnyProvider,
  delivery: Parameters<AnyProvider['signature']['sign']>[0],
  secret: { readonly value: string; readonly from: string },
  io: Io,
): Promise<Readonly<Record<string, string>>> {
  // That of a module was checked for what a server needs, which only verifies.
  if (typeof (signature as Partial<typeof signature>).sign !== 'function') {
    throw new CommandError(
      usage,
      `The provider "${name}" cannot sign deliveries`,
      'Its signature needs a function "sign"',
    )
  }
  try {
    return await signature.sign(delivery, secret.value, io.now())
  } catch {
    // The reason is not shown: a scheme that cannot read a secret may quote it.
    throw new CommandError(usage, `${secret.from} does not hold a secret that this provider signs with`)
  }
}

function* describe({ status, events }: Outcome): Generator<string> {
  yield `200 ${status}`
  for (const { id, name, duplicate } of events) {
    yield `  ${printable(name)}  ${printable(id)}  ${duplicate ? 'duplicate' : 'new'}`
  }
  switch (status) {
    case 'accepted':
      break
    case 'duplicate':
      yield 'Recorded before, so it is not published again. Send it as another event with --fresh.'
      break
    case 'ignored':
      yield 'The signature holds, but the server makes no event of this delivery.'
      break
    case 'quarantined':
      yield 'The signature holds, but the server could not read the delivery, or its event is older than it takes (--fresh makes it new). It is kept until it can be replayed.'
  }
}
