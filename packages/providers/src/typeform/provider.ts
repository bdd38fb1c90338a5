import { defineProvider, hmac } from '@sallyport/webhooks'
import type { z } from 'zod'
import { readText } from '../fields.ts'
import { createNotify, oneLine } from '../message.ts'
import { occurredAt } from '../time.ts'
import {
  responsePayload,
  typeformEvents,
  type Answer,
  type FormResponse,
  type responseSubmitted,
} from './schemas.ts'

/**
 * Typeform: answers to forms.
 *
 * - Signature: HMAC-SHA256 over the raw body, padded base64 after `sha256=`. The key is the secret that was set when the
 *   webhook was made; without one, Typeform signs nothing.
 * - `response.submitted`: from `form_response`. Key: the token of the response. Partial responses
 *   (`form_response_partial`) have the same token and are ignored.
 *
 * @see https://www.typeform.com/developers/webhooks/secure-your-webhooks/
 * @see https://www.typeform.com/developers/webhooks/example-payload/
 */
export const typeform = defineProvider({
  name: 'typeform',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'typeform-signature',
    prefix: 'sha256=',
  }),
  events: typeformEvents,
  readKind: ({ payload }) => readText(payload, 'event_type'),
  normalize({ payload }) {
    if (readText(payload, 'event_type') !== 'form_response') return []
    const { form_response: response } = responsePayload.parse(payload)
    return {
      kind: 'response.submitted',
      key: [response.token],
      subject: response.form_id,
      ...occurredAt(response.submitted_at),
      data: toData(response),
    }
  },
  notify: createNotify(typeformEvents, {
    'response.submitted': ({ form_title, form_id, answers }) => ({
      title: `New response to ${oneLine(form_title ?? form_id)}`,
      text: `${answers.length} ${answers.length === 1 ? 'question' : 'questions'} answered`,
      severity: 'info',
    }),
  }),
})

function toData(response: FormResponse): z.input<typeof responseSubmitted> {
  const { token, form_id, definition, answers, hidden, calculated, landed_at, submitted_at } = response
  const questions = new Map(definition?.fields.map(({ id, title }) => [id, title]))
  return {
    response_id: token,
    form_id,
    form_title: definition?.title ?? null,
    answers: answers.map((answer) => ({
      field_id: answer.field.id,
      ref: answer.field.ref,
      question: questions.get(answer.field.id) ?? null,
      type: answer.type,
      values: getValues(answer),
    })),
    hidden,
    score: calculated?.score ?? null,
    landed_at,
    submitted_at,
  }
}

function getValues(answer: Answer): string[] {
  const { choice, choices, text, email, url, file_url, phone_number, date, number, boolean } = answer
  const simple = [text, email, url, file_url, phone_number, date, number, boolean]
  const chosen = [choice?.label, choice?.other, ...(choices?.labels ?? []), choices?.other]
  return [...simple, ...chosen].filter((value) => value !== null && value !== undefined)
}
