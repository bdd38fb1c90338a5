import { createArbitraries } from '@sallyport/rest/arbitraries'
import fc, { type Arbitrary } from 'fast-check'
import { follow, type OpenApiDocument, type Schema } from './openapi.ts'

/** Values by the schemas of a document. */
export interface Values {
  /** Values that the schema and the server accept. */
  readonly valid: (schema: Schema) => Arbitrary<unknown>
  /** Values that the schema rejects, and text that only the server rejects because no database can store it. */
  readonly invalid: (schema: Schema) => Arbitrary<unknown>
}

/** @param reference returns an existing id, for fields that refer to a row */
export function valuesBy(document: OpenApiDocument, reference: () => string): Values {
  const { valid, invalid } = createArbitraries({
    schemas: document.components.schemas,
    choose({ format, type, minimum = 0, maximum = Infinity, enum: values }) {
      if (format === 'uuid') return fc.constant(undefined).map(reference)
      // Not biased towards what is simple, which would soon be taken.
      if (format === 'email') return fc.noBias(fc.uuid()).map((name) => `${name}@example.com`)
      // In the future, where an expiry must be.
      if (format === 'date-time') return days.map((day) => `21${day.slice(2, 8)}01T12:00:00+01:00`)
      // The pages of a list end where its limit times its page is too much.
      if (type === 'integer' && values === undefined)
        return fc.integer({ min: minimum, max: Math.min(maximum, 100_000) })
      return undefined
    },
  })
  return {
    valid,
    invalid(part) {
      const schema = follow(document, part)
      const { minLength = 0 } = schema
      const isText = schema.type === 'string' && schema.enum === undefined && schema.format === undefined
      const texts = ['a\0b', 'a\ud800b'].map((text) => text.padEnd(minLength, 'x'))
      const wrong = invalid(schema)
      if (wrong === undefined) throw new Error(`Nothing is invalid for ${JSON.stringify(schema)}`)
      return isText ? fc.oneof(wrong, fc.constantFrom(...texts)) : wrong
    },
  }
}

const days = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
