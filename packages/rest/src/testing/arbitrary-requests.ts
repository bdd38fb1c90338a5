import fc, { type Arbitrary } from 'fast-check'
import { conforms } from '../openapi/conforms.ts'
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '../openapi/document-model.ts'
import { resolveSchema, type JsonSchema, type ReferencedSchemas } from '../openapi/json-schema.ts'
import type { Arbitraries } from '../arbitraries/create-arbitraries.ts'
import { contradictsFormat } from '../arbitraries/arbitrary-scalars.ts'
import { follow, listSchemas } from './follow.ts'

/** A request to an operation. */
export interface ArbitraryRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly headers: Readonly<Record<string, string>>
  /** The text of a JSON body. */
  readonly body: string | undefined
  /** Whether no part contradicts the document. */
  readonly valid: boolean
}

interface Part<Value> {
  readonly value: Value
  readonly valid: boolean
}

/** Makes requests to an operation, some of which the document refuses. */
export function makeRequests(
  document: OpenApiDocument,
  { parameters = [], requestBody }: OpenApiOperation,
  arbitraries: Arbitraries,
): Arbitrary<ArbitraryRequest> {
  const schemas = listSchemas(document)
  const of = (place: string) => {
    const own = parameters.map((one) => follow(document, one)).filter((one) => one.in === place)
    return fc.tuple(...own.map((one) => makeParameter(one, arbitraries, schemas)))
  }
  const schema = requestBody?.content['application/json']?.schema
  return fc
    .record({
      params: of('path'),
      query: of('query'),
      headers: of('header'),
      body:
        schema === undefined
          ? fc.constant(undefined)
          : makeBody(schema, requestBody?.required === true, arbitraries, schemas),
    })
    .map(({ params, query, headers, body }) => ({
      params: Object.fromEntries(params.flatMap(({ value }) => value)),
      query: query.flatMap(({ value }) => value),
      headers: Object.fromEntries(headers.flatMap(({ value }) => value)),
      body: body?.value,
      valid: [...params, ...query, ...headers, ...(body ? [body] : [])].every((part) => part.valid),
    }))
}

type Pairs = readonly (readonly [name: string, value: string])[]

const wrongTexts = ['nonsense', '', ' ', '-1', '0', '1.5', '1e1', '99999999999999999999', "'", '\0']

function makeParameter(
  { name, in: place, required = false, schema }: OpenApiParameter,
  { valid }: Arbitraries,
  schemas: ReferencedSchemas,
): Arbitrary<Part<Pairs>> {
  const toPairs = (value: unknown): Pairs =>
    [value].flat().map((one) => [name, toSendable(place, String(one))] as const)
  const target = resolveSchema(schema, schemas) ?? {}
  const isWrong = (text: string) =>
    contradictsFormat(text, target) || !readText(text).some((value) => conforms(value, target, schemas))
  const wrong = wrongTexts.filter((text) => text === toSendable(place, text) && isWrong(text))
  const given = valid({ type: 'object', properties: { [name]: schema }, required: [name] }).map((object) => ({
    value: toPairs((object as Readonly<Record<string, unknown>>)[name]),
    valid: true,
  }))
  const absent = { value: [], valid: true }
  const pairs = wrong.map((text) => ({ value: [[name, text] as const], valid: false }))
  return fc.oneof(
    { weight: 3, arbitrary: given },
    ...(required ? [] : [{ weight: 4, arbitrary: fc.constant(absent) }]),
    ...(pairs.length === 0 ? [] : [{ weight: 1, arbitrary: fc.constantFrom(...pairs) }]),
  )
}

/** Lists the values that a text may represent. */
const readText = (text: string): readonly unknown[] => {
  const values = [text, Number(text), text === 'true']
  return [...values, ...values.map((value) => [value])]
}

/** Removes the characters that a place cannot have. */
function toSendable(place: OpenApiParameter['in'], text: string): string {
  if (place === 'query') return text
  if (place === 'path') return /^\.*$/.test(text) ? 'x' : text
  return text.replaceAll(/[^\x21-\x7e]/g, '')
}

const malformed = ['', 'null', 'true', '7', '""', '[]', '{', '{}}', '{"a":1,"a":1}']

/** Makes the texts of bodies: valid ones, and some with one field that is wrong, missing or unknown. */
function makeBody(
  schema: JsonSchema,
  isRequired: boolean,
  { valid, invalid }: Arbitraries,
  schemas: ReferencedSchemas,
): Arbitrary<Part<string>> {
  const right = valid(schema)
  const { properties = {}, required = [] } = resolveSchema(schema, schemas) ?? {}
  const change = (make: (body: object) => Arbitrary<unknown>) =>
    right.chain((body) => make(Object(body) as object))
  const changes = [
    ...Object.entries(properties).flatMap(([name, property]) => {
      const wrong = invalid(property)
      return wrong ? [change((body) => wrong.map((value) => ({ ...body, [name]: value })))] : []
    }),
    ...required.map((name) => change((body) => fc.constant(omit(body, name)))),
    change((body) => fc.constant({ ...body, 'unknown field': 1 })),
  ]
  const texts = isRequired ? malformed : malformed.slice(1)
  return fc.oneof(
    { weight: 3, arbitrary: right.map((body) => ({ value: JSON.stringify(body), valid: true })) },
    {
      weight: 2,
      arbitrary: fc.oneof(...changes).map((body) => ({
        value: JSON.stringify(body),
        valid: conforms(body, schema, schemas),
      })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...texts)
        .map((value) => ({ value, valid: isValidText(value, schema, schemas) })),
    },
  )
}

const omit = (body: object, name: string): object =>
  Object.fromEntries(Object.entries(body).filter(([own]) => own !== name))

function isValidText(text: string, schema: JsonSchema, schemas: ReferencedSchemas): boolean {
  try {
    return conforms(JSON.parse(text), schema, schemas)
  } catch {
    return false
  }
}
