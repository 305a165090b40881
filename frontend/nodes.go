package frontend

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"
)

// visit calls look for a node and all nodes below it, in textual order as far
// as the grammar has it.
func visit(n cc.Node, look func(cc.Node)) {
	walk(n, func(n cc.Node) bool {
		look(n)
		return true
	})
}

// walk is visit for a function that says whether to go on below a node.
func walk(n cc.Node, look func(cc.Node) bool) {
	v := reflect.ValueOf(n)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() || !look(n) {
		return
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	for _, i := range shapeOf(v.Type()).children {
		if child := nodeIn(v.Field(i)); child != nil {
			walk(child, look)
		}
	}
}

// nodeIn is the node that a field leads to, or nil.
func nodeIn(field reflect.Value) cc.Node {
	if (field.Kind() == reflect.Pointer || field.Kind() == reflect.Interface) && field.IsNil() {
		return nil
	}
	child, _ := field.Interface().(cc.Node)
	return child
}

// tokensOf are the tokens of a node and of those below it, in the order of the preprocessed text:
// what cc.NodeTokens gives, which looks the fields up for each node anew.
func tokensOf(n cc.Node) (tokens []cc.Token) {
	tokens = appendTokens(nil, reflect.ValueOf(n))
	slices.SortFunc(tokens, func(a, b cc.Token) int { return cmp.Compare(a.Seq(), b.Seq()) })
	return tokens
}

func appendTokens(tokens []cc.Token, v reflect.Value) []cc.Token {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return tokens
	}
	if v.Type() == tokenType {
		return appendToken(tokens, v)
	}
	shape := shapeOf(v.Type())
	for _, i := range shape.tokens {
		tokens = appendToken(tokens, v.Field(i))
	}
	for _, i := range shape.children {
		if child := v.Field(i); child.Kind() != reflect.Interface || nodeIn(child) != nil {
			tokens = appendTokens(tokens, child)
		}
	}
	return tokens
}

// appendToken adds a token that was read; those of parts that are not there have no number.
func appendToken(tokens []cc.Token, v reflect.Value) []cc.Token {
	var t cc.Token
	if v.CanAddr() {
		t = *v.Addr().Interface().(*cc.Token)
	} else {
		t = v.Interface().(cc.Token)
	}
	if t.Seq() == 0 {
		return tokens
	}
	return append(tokens, t)
}

// shape are the numbers of the fields of a type of nodes that are tokens, and of those that may
// lead to other nodes. Looking them up for each node takes a quarter of a file's time.
type shape struct{ tokens, children []int }

var shapes sync.Map

var tokenType, nodeType = reflect.TypeFor[cc.Token](), reflect.TypeFor[cc.Node]()

func shapeOf(t reflect.Type) shape {
	if known, ok := shapes.Load(t); ok {
		return known.(shape)
	}
	var s shape
	for i := range t.NumField() {
		field := t.Field(i)
		switch {
		case !field.IsExported():
		case strings.HasPrefix(field.Name, "Token"):
			if field.Type == tokenType {
				s.tokens = append(s.tokens, i)
			}
		case field.Type.Kind() == reflect.Interface || field.Type.Implements(nodeType):
			s.children = append(s.children, i)
		}
	}
	shapes.Store(t, s)
	return s
}
