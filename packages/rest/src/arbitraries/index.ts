/**
 * Values of `fast-check` by the schemas of an OpenAPI document.
 *
 * @module
 */
export { createArbitraries, type Arbitraries } from './create-arbitraries.ts'
