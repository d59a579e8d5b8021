//! The few ONNX messages that a net needs, with the field numbers of
//! <https://github.com/onnx/onnx/blob/main/onnx/onnx.proto>.

use prost::Message;

/// `TensorProto.DataType.FLOAT`.
pub(crate) const FLOAT: i32 = 1;
/// `TensorProto.DataType.FLOAT16`.
pub(crate) const FLOAT16: i32 = 10;
/// `TensorProto.DataType.INT64`.
pub(crate) const INT64: i32 = 7;
/// `AttributeProto.AttributeType.INT`.
const ATTRIBUTE_INT: i32 = 2;
/// `AttributeProto.AttributeType.INTS`.
const ATTRIBUTE_INTS: i32 = 7;

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ModelProto {
    #[prost(int64, tag = "1")]
    pub(crate) ir_version: i64,
    #[prost(string, tag = "2")]
    pub(crate) producer_name: String,
    #[prost(message, optional, tag = "7")]
    pub(crate) graph: Option<GraphProto>,
    #[prost(message, repeated, tag = "8")]
    pub(crate) opset_import: Vec<OperatorSet>,
    #[prost(message, repeated, tag = "14")]
    pub(crate) metadata_props: Vec<StringEntry>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct OperatorSet {
    #[prost(string, tag = "1")]
    pub(crate) domain: String,
    #[prost(int64, tag = "2")]
    pub(crate) version: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct StringEntry {
    #[prost(string, tag = "1")]
    pub(crate) key: String,
    #[prost(string, tag = "2")]
    pub(crate) value: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct GraphProto {
    #[prost(message, repeated, tag = "1")]
    pub(crate) node: Vec<NodeProto>,
    #[prost(string, tag = "2")]
    pub(crate) name: String,
    #[prost(message, repeated, tag = "5")]
    pub(crate) initializer: Vec<TensorProto>,
    #[prost(message, repeated, tag = "11")]
    pub(crate) input: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "12")]
    pub(crate) output: Vec<ValueInfo>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct NodeProto {
    #[prost(string, repeated, tag = "1")]
    pub(crate) input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(crate) output: Vec<String>,
    #[prost(string, tag = "3")]
    pub(crate) name: String,
    #[prost(string, tag = "4")]
    pub(crate) op_type: String,
    #[prost(message, repeated, tag = "5")]
    pub(crate) attribute: Vec<Attribute>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Attribute {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(int64, tag = "3")]
    pub(crate) i: i64,
    #[prost(int64, repeated, tag = "8")]
    pub(crate) ints: Vec<i64>,
    #[prost(int32, tag = "20")]
    pub(crate) kind: i32,
}

impl Attribute {
    pub(crate) fn int(name: &str, i: i64) -> Attribute {
        Attribute { name: name.to_owned(), i, ints: Vec::new(), kind: ATTRIBUTE_INT }
    }

    pub(crate) fn ints(name: &str, ints: &[i64]) -> Attribute {
        Attribute { name: name.to_owned(), i: 0, ints: ints.to_vec(), kind: ATTRIBUTE_INTS }
    }
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct TensorProto {
    #[prost(int64, repeated, tag = "1")]
    pub(crate) dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    pub(crate) data_type: i32,
    #[prost(string, tag = "8")]
    pub(crate) name: String,
    #[prost(bytes = "vec", tag = "9")]
    pub(crate) raw_data: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ValueInfo {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) r#type: Option<TypeProto>,
}

impl ValueInfo {
    /// A tensor of floats `[N, sizes…]`.
    pub(crate) fn floats(name: &str, sizes: &[usize]) -> ValueInfo {
        let batch = Dimension { dim_value: None, dim_param: Some("N".to_owned()) };
        let size = |&size: &usize| Dimension { dim_value: Some(size as i64), dim_param: None };
        let dim = std::iter::once(batch).chain(sizes.iter().map(size)).collect();
        let tensor = TensorType { elem_type: FLOAT, shape: Some(ShapeProto { dim }) };
        ValueInfo { name: name.to_owned(), r#type: Some(TypeProto { tensor_type: Some(tensor) }) }
    }
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct TypeProto {
    #[prost(message, optional, tag = "1")]
    pub(crate) tensor_type: Option<TensorType>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct TensorType {
    #[prost(int32, tag = "1")]
    pub(crate) elem_type: i32,
    #[prost(message, optional, tag = "2")]
    pub(crate) shape: Option<ShapeProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ShapeProto {
    #[prost(message, repeated, tag = "1")]
    pub(crate) dim: Vec<Dimension>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Dimension {
    #[prost(int64, optional, tag = "1")]
    pub(crate) dim_value: Option<i64>,
    #[prost(string, optional, tag = "2")]
    pub(crate) dim_param: Option<String>,
}
