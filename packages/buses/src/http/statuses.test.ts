import { describe, expect, it } from 'vitest'
import { createClassifier, isUnavailable, type StatusOptions } from './statuses.ts'

describe('createClassifier', () => {
  it('takes 2xx as success, 410 as gone, and retries the rest', () => {
    const classify = createClassifier()
    expect([200, 204, 299].map(classify)).toEqual(['success', 'success', 'success'])
    expect(classify(410)).toBe('gone')
    expect([301, 400, 401, 404, 408, 422, 429, 500, 503, 599].map(classify)).toEqual(Array(10).fill('retry'))
  })

  it('prefers a status to its group, and an option to the default', () => {
    const classify = createClassifier({ success: [409], dead: ['4xx'], retry: [404, 202] })
    expect([409, 404, 400, 410, 202, 200].map(classify)).toEqual([
      ...['success', 'retry', 'dead', 'dead', 'retry', 'success'],
    ])
  })

  it.each<[unknown]>([[{ dead: [99] }], [{ dead: ['6xx'] }], [{ dead: [400, 400] }], [{ dead: [1.5] }]])(
    'rejects %j',
    (options) => {
      expect(() => createClassifier(options as StatusOptions)).toThrow(/^statuses/)
    },
  )

  it('rejects a status with two meanings', () => {
    expect(() => createClassifier({ success: [409], dead: [409] })).toThrow('statuses must have 409 once')
  })
})

it('counts 408, 425, 429 and 5xx as an unavailable destination', () => {
  expect([200, 302, 400, 404, 408, 425, 429, 500, 504].filter(isUnavailable)).toEqual([
    408, 425, 429, 500, 504,
  ])
})
