// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- the result of a handler without a body
type Plain = string | number | bigint | boolean | symbol | null | undefined | void
type Method = (...parameters: never[]) => unknown
/** A value that JSON writes by its `toJSON`, such as a `Date`. */
interface Serialized {
  toJSON: Method
}

/** A deeply readonly version of a type, so that `as const` literals and readonly arrays fit. */
export type Immutable<T> = unknown extends T
  ? T
  : T extends Plain | Method | Serialized
    ? T
    : T extends readonly unknown[]
      ? ImmutableArray<T>
      : { readonly [Name in keyof T]: Immutable<T[Name]> }

// A mapped type would be evaluated eagerly and not terminate for a recursive type.
type ImmutableArray<T extends readonly unknown[]> = number extends T['length']
  ? readonly Immutable<T[number]>[]
  : { readonly [Index in keyof T]: Immutable<T[Index]> }

/**
 * The type that a value of type `Given` must have so that no field, at any depth, is missing from `Declared`: each such
 * field is `never`. For a union, the fields are those of the members that the value matches.
 *
 * The indexed access on `Box` defers evaluation: a function that is generic over routes or schemas compiles unchecked,
 * where a bare conditional type would reject every result.
 */
export type Exact<Given, Declared, All = Given> = ExactBox<Given, Declared, All>['value']

interface Box<Value> {
  readonly value: Value
}

type ExactBox<Given, Declared, All> = unknown extends Given
  ? Box<Given>
  : unknown extends Declared
    ? Box<Given>
    : [OpenMember<Declared>] extends [never]
      ? Given extends Plain | Method | Serialized
        ? Box<Given>
        : Given extends readonly unknown[]
          ? Box<readonly Exact<Given[number], ItemOf<Declared>>[]>
          : Box<ExactFields<Given, MemberOf<Given, Exclude<Declared, Plain>>> & Without<Given, All>>
      : Box<Given>

/** The union members that declare no field and accept any, such as `object`. */
type OpenMember<Declared> = Declared extends unknown
  ? [keyof Declared] extends [keyof typeof Object.prototype]
    ? object extends Declared
      ? Declared
      : never
    : never
  : never

type ExactFields<Given, Declared> = {
  readonly [Name in keyof Given]: ExactField<Name, Given[Name], Declared>
}

type ExactField<Name, Given, Declared> = (Name extends NameOf<Declared> | symbol
  ? Box<Exact<Given, ValueOf<Declared, Name>>>
  : unknown extends Given
    ? Box<never>
    : // JSON omits functions.
      [Given] extends [Method | undefined]
      ? Box<Given>
      : Box<never>)['value']

/** Forbids the fields of other union members. */
type Without<Given, All> = {
  readonly [Name in Exclude<NameOf<Exclude<All, Plain | readonly unknown[]>>, keyof Given>]?: never
}

/** The union members that a value matches; all members when none matches exactly. */
type MemberOf<Given, Declared> = [Matching<Given, Declared>] extends [never]
  ? Declared
  : Matching<Given, Declared>
type Matching<Given, Declared> = Declared extends unknown
  ? Given extends Declared
    ? Declared
    : never
  : never

type NameOf<Declared> = Declared extends unknown ? keyof Declared : never
type ValueOf<Declared, Name> = Declared extends unknown
  ? Name extends keyof Declared
    ? Declared[Name]
    : never
  : never
type ItemOf<Declared> = Declared extends readonly unknown[] ? Declared[number] : never
