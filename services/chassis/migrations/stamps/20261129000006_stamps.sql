-- When each kind of a reader's saved things last changed, and their number, written in the transaction of the change.
CREATE TABLE stamps (
    profile_id bigint NOT NULL,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    -- The previous stamp, so that a client can tell whether it missed a change from another device.
    previous_at timestamptz,
    count bigint NOT NULL CHECK (count >= 0),
    PRIMARY KEY (profile_id, kind)
);

-- A statement that stamps a change also writes its event, whose instant is known only to the statement. These functions
-- encode that instant as Protocol Buffers.

-- A number below 2^35 as a varint of five groups of seven bits, the lowest first. Encoders omit groups of zeros at the end;
-- decoders accept them.
CREATE FUNCTION protobuf_varint(value bigint) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN set_byte(set_byte(set_byte(set_byte(set_byte('\x0000000000'::bytea,
    0, (value & 127 | 128)::integer),
    1, (value >> 7 & 127 | 128)::integer),
    2, (value >> 14 & 127 | 128)::integer),
    3, (value >> 21 & 127 | 128)::integer),
    4, (value >> 28 & 127)::integer);

-- A google.protobuf.Timestamp (seconds = 1, nanos = 2) of twelve bytes, for instants since 1970.
CREATE FUNCTION protobuf_timestamp(at timestamptz) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN '\x08'::bytea || protobuf_varint(floor(extract(epoch FROM at))::bigint)
    || '\x10'::bytea || protobuf_varint(mod(extract(microseconds FROM at)::bigint, 1000000) * 1000);
