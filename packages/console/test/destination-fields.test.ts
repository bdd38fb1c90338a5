import { expect, it } from 'vitest'
import { emptyFields, toDeclaration, toFields, toPatch } from '../src/app/destinations/destination-fields.ts'

const times = { created_at: '', updated_at: '' }
const declaration = {
  ...({ name: 'billing', url: 'https://billing.example.com', mode: 'original', sign: 'provider' } as const),
  ...{ filter: { provider: ['github'], events: ['github/push', 'github/issues.*'] }, retry: [5, 60] },
  ...{ headers: { authorization: '[redacted]' }, statuses: { dead: [400] }, timeout_seconds: 10 },
  ...({ order: 'subject', rate_per_second: 20 } as const),
}

it('converts a destination to fields and back, with the members that have no field', () => {
  const fields = toFields({ ...declaration, ...times, secrets: [] })
  expect(fields).toMatchObject({
    requests: 'provider',
    kinds: 'github/push\ngithub/issues.*',
    concurrency: '',
  })
  expect(toPatch(fields)).toEqual({
    ...{ url: declaration.url, mode: 'original', sign: 'provider', format: null, order: 'subject' },
    ...{ filter: declaration.filter, rate_per_second: 20, concurrency: null },
    ...{ headers: declaration.headers, statuses: { dead: [400] }, retry: [5, 60], timeout_seconds: 10 },
    ...{ allow_headers: null, query: null, max_age_seconds: null },
  })
})

it('leaves out what a new destination does not have', () => {
  const fields = { ...emptyFields, url: ' https://a.example ', requests: 'cloudevents', kinds: ' \n' }
  expect(toDeclaration(' a ', fields, '')).toEqual({
    ...{ name: 'a', url: 'https://a.example', mode: 'event', format: 'cloudevents', order: 'none' },
  })
})

it.each([
  ['{', 'The further members are not valid JSON'],
  ['[1]', 'The further members are not a JSON object'],
  ['null', 'The further members are not a JSON object'],
])('refuses %j as further members', (further, message) => {
  expect(() => toPatch({ ...emptyFields, further })).toThrow(message)
})
