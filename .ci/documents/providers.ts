import { getTrust, type Service, type ValueSource } from '@sallyport/webhooks'
import { loadEntries, loadServices, type ServiceEntry } from '../../packages/providers/scripts/load.ts'
import { leftOutSection } from './left-out.ts'
import { describeSources } from './provider-sources.ts'
import { sampleSection, secretVariable, unsignedStep } from './provider-commands.ts'
import { formatTable } from './table.ts'

/** Renders the index of providers, and one page per service, by path. */
export async function providerPages(): Promise<ReadonlyMap<string, string>> {
  const services = await loadServices()
  return new Map([
    ['docs/reference/providers.md', await indexPage(services)],
    ...(await Promise.all(
      services.map(
        async (entry) =>
          [`docs/reference/providers/${entry.provider.name}.md`, await servicePage(entry)] as const,
      ),
    )),
  ])
}

async function indexPage(services: readonly ServiceEntry[]): Promise<string> {
  const normalized = (await loadEntries()).map(({ provider, service, signed, secret }) => [
    `\`${provider.name}\``,
    service,
    signed,
    secret,
    codes(Object.keys(provider.events)),
  ])
  const rows = services.map(({ provider, facts }) => [
    `[${facts.title}](providers/${provider.name}.md)`,
    `\`${provider.name}\``,
    `\`${getTrust(provider)}\``,
    describeIdentity(provider),
    describeKindSource(provider),
    facts.confidence,
    facts.checked,
  ])
  return `# Providers

\`@sallyport/providers\` has two sorts of providers. A **service** passes every event through under the service's own name, with
its payload unchanged: \`github/pull_request.opened\`. A **normalized** provider has a few kinds with a stable schema,
and ignores the others: \`codehost/workflow_run.completed\`. Use a service for the events of one vendor, and a normalized
provider for code that must survive a change of vendor.

| | service (\`github\`) | normalized (\`codehost\`) |
| --- | --- | --- |
| kinds | all, as the service names them | a documented list |
| data | the payload | snake_case fields with a schema |
| other kinds | do not exist | answered as \`ignored\` |
| bundle | no schema library | zod |

To support another service, [add a provider](../guides/add-a-provider.md).

## Services

The columns:

- **trust**: \`signed\` covers the body; \`partial\` covers a part of the delivery; \`origin\` is a token that proves only the
  sender; \`none\` proves nothing. The gateway accepts the last three only if \`allowUnsigned\` names the provider.
- **identity**: what makes a redelivery a duplicate.
- **kind**: where the name of the event is.
- **confidence**: \`primary\` facts come from the documentation or the code of the service, \`secondary\` facts from code
  that receives its deliveries.
- **checked**: the month in which the facts were last compared with their sources.

The same facts, and signed test deliveries, are [a file in JSON](catalogue.md).

<!-- ProviderFilter -->

${formatTable(['service', 'name', 'trust', 'identity', 'kind', 'confidence', 'checked'], rows)}
## Normalized providers

${formatTable(['provider', 'service', 'signed by', 'secret', 'kinds'], normalized)}
${leftOutSection()}`
}

async function servicePage(entry: ServiceEntry): Promise<string> {
  const { provider, facts } = entry
  const { name, signature, handshake, answer, bodyLimit, queueable = [] } = provider
  const { covers = 'body' } = signature
  const covered = facts.covers ?? (covers === 'body' ? '' : covers.join(', '))
  const rows = [
    ['path', `\`/webhooks/${name}\``],
    ['import', `\`@sallyport/providers/${name}\``],
    ['variable of the secret', `\`${secretVariable(name)}\``],
    ['headers', codes(signature.headers)],
    ['trust', `\`${getTrust(provider)}\`${covered === '' ? '' : `: ${covered}`}`],
    ['kind', describeKind(provider)],
    ['identity', describeIdentity(provider)],
    ...(handshake ? [['handshake', `answers the challenge, sent with ${handshake.methods.join(', ')}`]] : []),
    ...(answer ? [['answer', String(answer.status)]] : []),
    ...(queueable.length > 0 ? [['queueable', codes(queueable)]] : []),
    ...(bodyLimit === undefined ? [] : [['largest body', `${bodyLimit / 1024 / 1024} MiB`]]),
    ['retries', facts.retries],
    ['confidence', facts.confidence],
    ['checked', facts.checked],
  ]
  const steps = [...facts.setup, ...unsignedStep(provider)]
  const traps = (facts.traps ?? []).map((trap) => `- ${trap}\n`).join('')
  return `# ${facts.title} webhooks

Verify the signature of ${facts.title} webhooks in Node.js, Deno, Bun and workers, and receive every event once. The facts
come from [the page of the service](${facts.docs}).

${formatTable(['', ''], rows)}
## Setup

${steps.map((step, index) => `${index + 1}. ${step}\n`).join('')}
${traps === '' ? '' : `## Traps\n\n${traps}\n`}${await sampleSection(entry)}
${describeSources(facts)}`
}

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

const list = (sources: ValueSource | readonly ValueSource[] = []) =>
  [sources].flat() as readonly ValueSource[]

const isUnsigned = ({ signature }: Service, source: ValueSource): boolean =>
  typeof source === 'object' &&
  ![...(signature.signedHeaders ?? []), ...(signature.signedIds ?? [])].includes(source.header.toLowerCase())

function describeSource(source: ValueSource): string {
  if (typeof source === 'string') return `\`${source}\``
  return typeof source === 'object' ? `header \`${source.header}\`` : 'computed'
}

const describeKind = ({ service }: Service): string => list(service.kind).map(describeSource).join(', ')

function describeKindSource(provider: Service): string {
  if (list(provider.service.kind).some((source) => isUnsigned(provider, source))) return 'unsigned header'
  return getTrust(provider) === 'signed' ? 'signed' : 'not signed'
}

function describeIdentity({ service, signature }: Service): string {
  if (service.distinct) return describeDistinct(service)
  if (service.id !== undefined) return list(service.id).map(describeSource).join(', ')
  if (signature.signedIds?.includes('sallyport-signed-content')) return 'hash of the signed content'
  return service.ignore ? `hash of the body without ${codes(service.ignore)}` : 'hash of the body'
}

function describeDistinct({ distinct, deliveryId }: Service['service']): string {
  const which =
    typeof distinct === 'function' ? 'some deliveries are new events' : 'each delivery is a new event'
  return deliveryId === undefined ? `none: ${which}` : `${describeSource(deliveryId)} with the signed content`
}
