/** Notes from the zod schemas for later steps. They are removed from the finished document. */
export interface SchemaNotes {
  /** The pattern that zod adds for a format. */
  readonly '~formatPattern'?: string
  /** The keywords do not fully describe the accepted text. */
  readonly '~incomplete'?: true
  /** A format that some accepted texts have. */
  readonly '~inputFormat'?: string
  /** Minimum and maximum length after the text is transformed. */
  readonly '~lengths'?: readonly [number, number | null]
  /** The values of a record may be undefined. */
  readonly '~optional'?: true
  /** The schema comes from a zod intersection. */
  readonly '~intersection'?: true
  /** The schemas of the items of a tuple, in order. */
  readonly '~tupleItems'?: readonly BuiltSchema[]
}

/** The inspected keywords of an OpenAPI 3.0 schema. */
export interface BuiltSchema extends SchemaNotes {
  readonly $ref?: string
  readonly example?: unknown
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: boolean
  readonly maximum?: number
  readonly exclusiveMaximum?: boolean
  readonly multipleOf?: number
  readonly items?: BuiltSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, BuiltSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: BuiltSchema | boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly allOf?: readonly BuiltSchema[]
  readonly anyOf?: readonly BuiltSchema[]
  readonly oneOf?: readonly BuiltSchema[]
  readonly not?: BuiltSchema
  readonly discriminator?: object
  readonly nullable?: boolean
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  // A keyword of later JSON Schema versions; removed at the end.
  readonly patternProperties?: object
}

/** A parameter or a header, or a reference to one. */
export interface BuiltPart {
  readonly $ref?: string
  readonly schema?: BuiltSchema
}

/** The parts of a generated document that later steps change in place. */
export interface BuiltOperation {
  readonly parameters?: BuiltPart[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, BuiltMedia>> }
  readonly responses?: Readonly<Record<string, BuiltResponse>>
}

export interface BuiltResponse {
  readonly headers?: Record<string, BuiltPart>
  readonly content?: Readonly<Record<string, BuiltMedia>>
}

export interface BuiltMedia {
  readonly schema?: BuiltSchema
  readonly examples?: unknown
  example?: unknown
}

export interface BuiltDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, BuiltOperation>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, BuiltSchema>>
    readonly responses?: Readonly<Record<string, BuiltResponse>>
    parameters?: Readonly<Record<string, BuiltPart>>
    headers?: Readonly<Record<string, BuiltPart>>
  }
}

const schemasAt = '#/components/schemas/'

/** The name of the component that a schema references. */
export function getComponentName({ $ref }: BuiltSchema): string | undefined {
  return $ref?.slice(schemasAt.length)
}

/** The component that a schema references. */
export function resolveReference(
  schema: BuiltSchema,
  schemas: Readonly<Record<string, BuiltSchema>>,
): BuiltSchema | undefined {
  return schemas[getComponentName(schema) ?? '']
}

/** The names of the schemas that are reachable from the paths by references and discriminator mappings. */
export function findReferencedSchemas({ paths, components = {} }: BuiltDocument): ReadonlySet<string> {
  const { schemas = {}, ...others } = components
  const names = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(look)
    if (typeof value !== 'string' || !value.startsWith(schemasAt)) return
    const name = value.slice(schemasAt.length)
    if (names.has(name)) return
    names.add(name)
    look(schemas[name])
  }
  look([paths, others])
  return names
}

/** The top-level schemas of a document. Generated headers and errors already use OpenAPI 3.0. */
export function collectSchemas({ paths, components = {} }: BuiltDocument): readonly BuiltSchema[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const bodies = operations.flatMap(({ requestBody, responses = {} }) => [
    ...(requestBody === undefined ? [] : [requestBody]),
    ...Object.values(responses),
  ])
  const containers = [
    ...operations.flatMap(({ parameters = [] }) => parameters),
    ...Object.values(components.parameters ?? {}),
    ...Object.values(components.headers ?? {}),
    ...[...bodies, ...Object.values(components.responses ?? {})].flatMap(({ content = {} }) =>
      Object.values(content),
    ),
  ]
  return [...Object.values(components.schemas ?? {}), ...containers.flatMap(({ schema }) => schema ?? [])]
}

/** The direct subschemas of a schema. */
export function getSubschemas(schema: BuiltSchema): BuiltSchema[] {
  const { properties, items, additionalProperties, not, allOf = [], anyOf = [], oneOf = [] } = schema
  const parts = [...Object.values(properties ?? {}), items, additionalProperties, not]
  return [...parts.filter((part) => typeof part === 'object'), ...allOf, ...anyOf, ...oneOf]
}
