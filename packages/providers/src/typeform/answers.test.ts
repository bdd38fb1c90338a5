import { expect, it } from 'vitest'
import { changed } from '../../test/fields.ts'
import { createMessage, send } from '../../test/send.ts'
import { typeform } from './index.ts'
import { sample } from './samples.ts'

const { body } = sample('response.submitted')
const field = { id: 'aQ1', ref: null }

const response = (change: object) =>
  changed(body, ['form_response'], {
    to: { form_id: 'hT5mK2vQ', token: 'k3v9', ...change },
  })
const toData = async (change: object) => (await send(typeform, response(change))).events[0]?.data

it.each([
  [{ text: 'Alice' }, ['Alice']],
  [{ text: '' }, ['']],
  [{ email: 'alice@example.com' }, ['alice@example.com']],
  [{ url: 'https://example.com' }, ['https://example.com']],
  [{ file_url: 'https://example.com/a.pdf' }, ['https://example.com/a.pdf']],
  [{ phone_number: '+4930123456' }, ['+4930123456']],
  [{ date: '2026-01-14' }, ['2026-01-14']],
  [{ number: -0.5 }, ['-0.5']],
  [{ boolean: false }, ['false']],
  [{ choice: { label: 'Queues' } }, ['Queues']],
  [{ choice: { other: 'Networks' } }, ['Networks']],
  [{ choices: { labels: ['Queues', null, 'Databases'] } }, ['Queues', 'Databases']],
  [{ choices: { other: 'Networks' } }, ['Networks']],
  [{ choices: {} }, []],
  [{ payment: { amount: '5' } }, []],
])('reads the answer %j as %j', async (answer, values) => {
  expect(await toData({ answers: [{ ...answer, field }] })).toMatchObject({
    answers: [{ ref: null, values }],
  })
})

it('accepts a form without details', async () => {
  const answers = [{ type: 'text', text: 'Alice', field }]
  expect(await toData({ answers, definition: { title: 'Workshop' } })).toMatchObject({
    form_title: 'Workshop',
    answers: [{ field_id: 'aQ1', question: null }],
  })
  expect(await toData({ answers })).toMatchObject({
    form_title: null,
    score: null,
    hidden: {},
  })
})

it.each([0, -2, 1.5])('has the score %j', async (score) => {
  expect(await toData({ calculated: { score } })).toMatchObject({ score })
})

it.each([
  [0, '0 questions answered'],
  [1, '1 question answered'],
  [2, '2 questions answered'],
])('announces %i answers: %s', async (count, text) => {
  const answers = Array.from({ length: count }, () => ({
    text: 'Alice',
    field,
  }))
  expect(await createMessage(typeform, response({ answers }))).toMatchObject({
    title: 'New response to hT5mK2vQ',
    text,
  })
})

it('shows the title of a form in one line', async () => {
  const message = await createMessage(typeform, response({ definition: { title: 'After\nthe workshop' } }))
  expect(message?.title).toBe('New response to After the workshop')
})
