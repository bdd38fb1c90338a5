import { expect, it } from 'vitest'
import { fromFields, toFields } from '../src/app/endpoints/endpoint-fields.ts'

const endpoint = {
  name: 'Acme',
  labels: { plan: 'free', formula: 'a=b' },
  options: { only: ['push', 'pull_request.*'], tolerance_seconds: 60 },
}

it('converts an endpoint to fields and back', () => {
  expect(toFields(endpoint).labels).toBe('plan=free\nformula=a=b')
  expect(fromFields(toFields(endpoint))).toEqual(endpoint)
})

it('reads kinds by line or comma, and leaves empty fields out', () => {
  const fields = {
    name: ' Acme ',
    only: 'push, ping\n\n star.* ',
    tolerance: ' ',
    labels: '\n plan = free \n',
  }
  expect(fromFields(fields)).toEqual({
    name: 'Acme',
    labels: { plan: 'free' },
    options: { only: ['push', 'ping', 'star.*'] },
  })
})
