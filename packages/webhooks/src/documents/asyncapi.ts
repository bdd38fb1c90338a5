import { createKindFilter } from '@sallyport/internal/kind'
import type { AnyProvider } from '../provider/provider.ts'
import { cloudEventSchema, eventSchema } from './event-schemas.ts'
import { convertSchema, type DataSchema } from './data-schema.ts'

/** The info object of AsyncAPI. */
interface AsyncApiInfo {
  readonly title: string
  readonly version: string
  readonly description?: string
  readonly license?: { readonly name: string; readonly url?: string }
}

/** An AsyncAPI 3.0 document, to be serialized as JSON. */
interface AsyncApiDocument {
  readonly asyncapi: '3.0.0'
  readonly info: AsyncApiInfo
  readonly defaultContentType: string
  readonly channels: Readonly<Record<string, object>>
  readonly operations: Readonly<Record<string, object>>
  readonly components: {
    readonly messages: Readonly<Record<string, object>>
    readonly schemas: Readonly<Record<string, object>>
  }
}

/** The events of one kind, or of all further kinds of a provider. */
interface Published {
  /** The name of the channel and of its operation. */
  readonly id: string
  /** The name of the events, with `{kind}` for all further kinds. */
  readonly address: string
  /** The schema of the data. @default any JSON */
  readonly data?: DataSchema | undefined
}

/**
 * Creates the AsyncAPI document of the events on a bus: a channel for each declared kind of the providers, and one with the
 * parameter `kind` for a service whose events pass through.
 *
 * @param info `description` is by default what the buses of `@sallyport/buses` carry
 * @see https://www.asyncapi.com/docs/reference/specification/v3.0.0
 *
 * @example
 * ```ts
 * import { github } from '@sallyport/providers/github'
 * import { createAsyncApiDocument } from '@sallyport/webhooks/documents'
 *
 * const document = createAsyncApiDocument([github], { title: 'Events', version: '1.0.0' })
 * ```
 */
export function createAsyncApiDocument(
  providers: readonly AnyProvider[],
  info: AsyncApiInfo,
): AsyncApiDocument {
  const published = providers.flatMap(listPublished)
  return {
    asyncapi: '3.0.0',
    info: { description, ...info },
    defaultContentType: 'application/json',
    channels: mapById(published, createChannel),
    operations: mapById(published, createOperation),
    components: {
      messages: Object.assign({}, ...published.map(createMessages)) as Record<string, object>,
      schemas: {
        Event: eventSchema,
        CloudEvent: cloudEventSchema,
        ...Object.fromEntries(published.flatMap(({ id, data }) => (data ? [[id, data] as const] : []))),
      },
    },
  }
}

function listPublished(provider: AnyProvider): readonly Published[] {
  const { name, events, only } = provider
  const isKept = only ? createKindFilter(only) : () => true
  const declared = Object.entries(events).filter(([kind]) => isKept(kind))
  return [
    ...declared.map(([kind, schema]) => {
      const id = `${name}.${kind}`
      return { id, address: `${name}/${kind}`, data: convertSchema(schema, `#/components/schemas/${id}`) }
    }),
    ...('service' in provider ? [{ id: name, address: `${name}/{kind}` }] : []),
  ]
}

const createChannel = ({ id, address }: Published) => ({
  address,
  ...(address.endsWith('{kind}') && {
    parameters: { kind: { description: 'The kind: the name that the service gives to the event.' } },
  }),
  messages: Object.fromEntries(forms.map((form) => [form, { $ref: `#/components/messages/${id}.${form}` }])),
})

const createOperation = ({ id, address }: Published) => ({
  action: 'send',
  title: `Publish ${address}`,
  channel: { $ref: `#/channels/${id}` },
  messages: forms.map((form) => ({ $ref: `#/channels/${id}/messages/${form}` })),
})

const forms = ['event', 'cloudevent'] as const

function createMessages({ id, address, data }: Published): Readonly<Record<string, object>> {
  const dataSchema = data ? { $ref: `#/components/schemas/${id}` } : true
  const nameSchema = address.endsWith('{kind}')
    ? { type: 'string', pattern: `^${id}/` }
    : { type: 'string', const: address }
  const narrow = (envelope: string, nameProperty: string) => ({
    allOf: [
      { $ref: `#/components/schemas/${envelope}` },
      { type: 'object', properties: { [nameProperty]: nameSchema, data: dataSchema } },
    ],
  })
  return {
    [`${id}.event`]: { name: address, contentType: 'application/json', payload: narrow('Event', 'name') },
    [`${id}.cloudevent`]: {
      name: address,
      contentType: 'application/cloudevents+json',
      payload: narrow('CloudEvent', 'type'),
    },
  }
}

const mapById = (published: readonly Published[], create: (one: Published) => object) =>
  Object.fromEntries(published.map((one) => [one.id, create(one)]))

const description = `What the server publishes on its bus. The address of a channel is the name of its events. The bus decides how
it appears: the last tokens of a NATS subject, a routing key of RabbitMQ, or a field of the message.

NATS, Redis, RabbitMQ, SQS, SNS and EventBridge carry the message \`event\`. Kafka and the CloudEvents bus carry \`cloudevent\`:
Kafka in binary mode, with the attributes as headers. Inngest gets \`name\`, \`data\`, \`id\` and \`ts\` of the event.

Each event is published at least once. The same \`id\` is the same event.`
