import { createRequire } from 'node:module'
import { toCloudEvent } from '@sallyport/buses/cloudevents'
import { codehost } from '@sallyport/providers/codehost'
import { github } from '@sallyport/providers/github'
import { messaging } from '@sallyport/providers/messaging'
import { defineProvider, type AnyProvider, type WebhookEvent } from '@sallyport/webhooks'
import { Ajv, type AnySchemaObject } from 'ajv'
import formats from 'ajv-formats'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createAsyncApiDocument } from '@sallyport/webhooks/documents'

const require = createRequire(import.meta.url)
const isDocument = openAjv().compile(
  require('@asyncapi/specs/schemas/3.0.0-without-$id.json') as AnySchemaObject,
)

function openAjv(): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  return ajv
}

/** Creates the document, which the AsyncAPI specification must accept. */
function describeEvents(...providers: readonly AnyProvider[]) {
  const document = createAsyncApiDocument(providers, { title: 'Events', version: '1.0.0' })
  void isDocument(document)
  expect(isDocument.errors).toBeNull()
  return document
}

/** Validates a value as the payload of a message of the document. */
function validate(document: ReturnType<typeof describeEvents>, message: string, value: unknown) {
  const ajv = openAjv().addSchema({ ...document, $id: 'document' })
  const isValid = ajv.compile({
    $ref: `document#/components/messages/${encodeURIComponent(message)}/payload`,
  })
  isValid(JSON.parse(JSON.stringify(value)))
  return isValid.errors?.map(({ instancePath, message: text }) => `${instancePath} ${text}`) ?? []
}

const push: WebhookEvent = {
  id: 'github:push:1',
  name: 'github/push',
  subject: 'acme/site',
  ts: 1_767_268_800_000,
  data: { ref: 'refs/heads/main' },
  source: { provider: 'github', deliveryId: 'delivery-1', receivedAt: 1_767_268_800_000 },
}

it('has a channel for each declared kind, and one for all kinds of a service', () => {
  const { channels, operations } = describeEvents(codehost, github)
  expect(channels).toMatchObject({
    'codehost.workflow_run.completed': { address: 'codehost/workflow_run.completed' },
    'codehost.package.published': { address: 'codehost/package.published' },
    github: { address: 'github/{kind}', parameters: { kind: {} } },
  })
  expect(Object.keys(operations)).toEqual(Object.keys(channels))
})

it('omits kinds that the provider does not record', () => {
  const { channels } = describeEvents({ ...codehost, only: ['package.*'] })
  expect(Object.keys(channels)).toEqual(['codehost.package.published'])
})

it('describes no events of a server without providers', () => {
  expect(describeEvents().channels).toEqual({})
})

it('describes an event and its CloudEvent, with data and with a reference to the data', () => {
  const document = describeEvents(github)
  const large = { ...push, data: undefined, dataref: 'https://hooks.example.com/deliveries/1/data' }
  for (const event of [
    push,
    large,
    { ...push, source: { ...push.source, endpoint: 'acme', manual: true } },
  ]) {
    expect(validate(document, 'github.event', event)).toEqual([])
    expect(validate(document, 'github.cloudevent', toCloudEvent(event as WebhookEvent))).toEqual([])
  }
  expect(validate(document, 'github.event', { ...push, name: 'stripe/push' })).not.toEqual([])
  expect(validate(document, 'github.event', { ...push, ts: 'today' })).toEqual(['/ts must be integer'])
})

it('describes data as the schema of its kind', () => {
  interface Tree {
    readonly name: string
    readonly children: readonly Tree[]
  }
  const tree: z.ZodType<Tree> = z.object({
    name: z.string(),
    get children() {
      return z.array(tree)
    },
  })
  const document = describeEvents(
    defineProvider({
      ...messaging,
      events: { grown: tree },
      normalize: () => [],
      notify: () => undefined,
      queueable: [],
    }),
  )
  const grow = (data: unknown) =>
    validate(document, 'messaging.grown.event', { ...push, name: 'messaging/grown', data })
  expect(grow({ name: 'oak', children: [{ name: 'acorn', children: [] }] })).toEqual([])
  expect(grow({ name: 'oak', children: [{ name: 1, children: [] }] })).toEqual([
    '/data/children/0/name must be string',
  ])
})
