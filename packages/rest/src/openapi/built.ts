/** What was noted of a schema while it was known; no document has it in the end. */
export interface NotedWords {
  /** The pattern that zod has of its format. */
  readonly '~formatPattern'?: string
  /** Its words do not tell which text it takes. */
  readonly '~untold'?: true
  /** The format of some of the texts that it takes. */
  readonly '~readAs'?: string
  /** The least and the most characters of the text that is made of it. */
  readonly '~lengths'?: readonly [number, number | null]
  /** The values of a record may be absent. */
  readonly '~optional'?: true
  /** It was written of an intersection. */
  readonly '~intersection'?: true
  /** What stands at each place of a tuple, in their order. */
  readonly '~places'?: readonly BuiltSchema[]
}

/** A JSON Schema in the dialect of OpenAPI 3.0, as far as it is looked at. */
export interface BuiltSchema extends NotedWords {
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
  // A word of later versions, until it is left out.
  readonly patternProperties?: object
}

/** A parameter or a header, or where it is. */
export interface BuiltPart {
  readonly $ref?: string
  readonly schema?: BuiltSchema
}

/** The parts of a document that was just built, to be finished in place. */
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
