import { codehost } from '@sallyport/providers/codehost'
import { frontApplication } from '@sallyport/providers/front-application'
import { messaging } from '@sallyport/providers/messaging'
import type { AnyProvider } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { createWebhookPaths } from '@sallyport/webhooks/documents'

interface Content {
  readonly content: Readonly<Record<string, { readonly examples?: Readonly<Record<string, object>> }>>
}

const getOperation = (providers: readonly AnyProvider[]) =>
  createWebhookPaths(providers)['/webhooks/{provider}']!.post

function getContents(...providers: readonly AnyProvider[]) {
  const { requestBody, responses } = getOperation(providers)
  const { content: sent } = requestBody as Content
  return { sent, answered: (responses['200'] as Content).content }
}

// Regression: a client generated from the document could not send forms, the default of GitHub.
describe('the content types of a delivery', () => {
  it('are JSON, and forms if a registered service sends them', () => {
    expect(Object.keys(getContents(messaging).sent)).toEqual(['application/json'])
    const { sent } = getContents(messaging, codehost)
    expect(Object.keys(sent)).toEqual(['application/json', 'application/x-www-form-urlencoded'])
    expect(sent['application/x-www-form-urlencoded']?.examples).toEqual({
      'codehost.workflow_run.completed': {
        value: { payload: '{"type":"workflow_run.completed","payload":{}}' },
      },
      'codehost.package.published': { value: { payload: '{"type":"package.published","payload":{}}' } },
    })
  })

  it('are JSON for a parser that rejects forms or returns a promise', () => {
    for (const parse of [
      () => 'text',
      () => {
        throw new Error('no JSON')
      },
      () => Promise.reject(new Error('no JSON')),
    ])
      expect(Object.keys(getContents({ ...messaging, parse }).sent)).toEqual(['application/json'])
  })

  it('of a response are JSON, and text if a registered service sends challenges', () => {
    expect(Object.keys(getContents(messaging).answered)).toEqual(['application/json'])
    expect(Object.keys(getContents(messaging, frontApplication).answered)).toEqual([
      'application/json',
      'text/plain',
    ])
    const byGet = { ...messaging, handshake: { methods: ['GET'], answer: () => undefined } } as const
    expect(Object.keys(getContents(byGet as never).answered)).toEqual(['application/json'])
  })
})

it('documents that ignored deliveries are not recorded', () => {
  expect(getOperation([codehost]).description).toContain(
    '200 means that the delivery is durably recorded, unless its status is `ignored`',
  )
})
