/**
 * A record with every member present, including optional ones, if only as undefined. Code that reads a row or creates a whole record
 * returns this, so a forgotten new member does not compile.
 */
export type Whole<Row> = { readonly [Member in keyof Required<Row>]: Row[Member] };
