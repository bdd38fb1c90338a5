import { expect, it } from 'vitest'
import { emptyFields, toDeclaration, toFields, toPatch } from '../src/app/destinations/destination-fields.ts'

const times = { created_at: '', updated_at: '' }
const declaration = {
  ...({ name: 'billing', url: 'https://billing.example.com', mode: 'original', sign: 'provider' } as const),
  ...{ filter: { provider: ['github'], events: ['github/push', 'github/issues.*'] } },
  ...({ order: 'subject', rate_per_second: 20 } as const),
}

it('converts a destination to fields and back, with the rest of its filter', () => {
  const fields = toFields({ ...declaration, ...times, secrets: [] })
  expect(fields).toMatchObject({
    requests: 'provider',
    kinds: 'github/push\ngithub/issues.*',
    concurrency: '',
  })
  expect(toPatch(fields, declaration.filter)).toEqual({
    ...{ url: declaration.url, mode: 'original', sign: 'provider', format: null, order: 'subject' },
    ...{ filter: declaration.filter, rate_per_second: 20, concurrency: null },
  })
})

it('leaves out what a new destination does not have', () => {
  const fields = { ...emptyFields, url: ' https://a.example ', requests: 'cloudevents', kinds: ' \n' }
  expect(toDeclaration(' a ', fields, '')).toEqual({
    ...{ name: 'a', url: 'https://a.example', mode: 'event', format: 'cloudevents', order: 'none' },
  })
})
