/**
 * A record of which every member is said, also the optional ones, if only as undefined. Code that reads a row or makes a record as a whole
 * returns this, so a new member that it forgets does not compile.
 */
export type Whole<Row> = { readonly [Member in keyof Required<Row>]: Row[Member] };
