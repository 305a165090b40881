package frontend

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"
)

// translate reads a text by the parser, for the host's compiler.
func translate(t *text, options Options) (u *unit, err error) {
	defer func() {
		if p := recover(); p != nil {
			u, err = nil, ErrorList{{Position: Position{File: t.name}, Construct: "file", Message: "polytune's parser fails on this file", Advice: understandableC}}
		}
	}()
	host, err := hostConfig(options.CompilerOptions)
	if err != nil {
		return nil, ErrorList{{Position: Position{File: t.name}, Construct: "compiler",
			Message: "no C compiler answers on this machine (" + firstLine(err.Error()) + ")",
			Advice:  "install gcc or set CC"}}
	}
	if u, err = translateFor(host, t, options); err == nil {
		return u, nil
	}
	if other := otherAnswers(host, options.CompilerOptions); other != nil {
		return translateFor(other, t, options)
	}
	return nil, err
}

// translateFor is translate for a host's compiler.
func translateFor(host *cc.Config, t *text, options Options) (u *unit, err error) {
	if err := checkDataModel(t.name, host); err != nil {
		return nil, err
	}
	u = &unit{text: t, systemPaths: host.SysIncludePaths, noAlias: options.AssumeNoAlias, pure: options.AssumePure, coarse: map[int]bool{}, coarser: map[int]bool{},
		writesMacros: options.WriteMacros, wroteMacros: map[int]bool{}}
	config := *host
	config.IncludePaths, config.SysIncludePaths = options.searched(host)
	config.ExpansionLimit = maxExpansion
	config.ABI = withHalves(host.ABI)
	config.IgnoreStaticAssert = true
	config.PragmaHandler = u.notePragma
	own := func(paths []string) []string {
		return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return slices.Contains(host.SysIncludePaths, path) })
	}
	headers := &headerTexts{main: t.name, texts: map[string][]byte{}, names: userNames(t, options, own(config.IncludePaths), own(config.SysIncludePaths))}
	config.FS = headers
	r := &parserRun{unit: u, config: config, headers: headers, options: options, main: t.parserText()}
	ast, failed := r.translate()
	if failed != nil {
		if err := r.preprocess(); err != nil {
			return nil, compilerErrors(t.name, err)
		}
	}
	if err := askHost(host.CC, t, options); err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, r.notUnderstood(failed)
	}
	u.ast = ast
	return u, nil
}

// askHost is hostErrors but in tests, which know what compilers take.
var askHost = hostErrors

// withHalves is an ABI with the floating-point types of two bytes, which the parser lacks for some
// machines.
func withHalves(abi *cc.ABI) *cc.ABI {
	extended := *abi
	extended.Types = maps.Clone(abi.Types)
	for kind, bytes := range map[cc.Kind]int64{cc.Float16: 2, cc.BFloat16: 2, cc.ComplexFloat16: 4} {
		extended.Types[kind] = cc.AbiType{Size: bytes, Align: 2, FieldAlign: 2}
	}
	return &extended
}
