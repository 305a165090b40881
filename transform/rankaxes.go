package transform

import "polytune/space/variant"

// The names of the axes of programs on ranks stay as they are, as those of Axes do.
const (
	rankClassesAxis  = "classes"
	rankLoopAxis     = "ranks"
	rankMessagesAxis = "messages"
	rankStepsAxis    = "steps"
)

// The values of these axes, by their numbers.
var (
	rankClasses   = []string{"partition", "source"}
	rankLoopKinds = []string{byModel, "outer", "inner", "grid"}
	rankMessages  = []string{"wait", "overlap"}
	rankSteps     = []string{"1", "2", "4", "8"}
)

// RankAxes are the decisions about programs on ranks that a variant may override.
func RankAxes() []variant.Axis {
	return []variant.Axis{
		{Name: rankClassesAxis, About: "whether loops are those of the partition's classes or of the source alone", Values: variant.Words(rankClasses...), Default: variant.Word(rankClasses[0])},
		{Name: rankLoopAxis, About: "which loops ranks share: those with the least to send, the outermost or the innermost that carry nothing, or the two outermost as a grid", Values: variant.Words(rankLoopKinds...), Default: variant.Word(byModel)},
		{Name: rankMessagesAxis, About: "whether ranks wait for messages, or run meanwhile what needs none of them", Values: variant.Words(rankMessages...), Default: variant.Word(rankMessages[0])},
		{Name: rankStepsAxis, About: "after how many iterations of the loop around ranks tell each other values: between these they compute those of others again", Values: variant.Words(rankSteps...), Default: variant.Word(rankSteps[0])},
	}
}

// RankOptionsOf are the options with what a setting of RankAxes decides.
func RankOptionsOf(s variant.Setting, options Options) Options {
	options.Ranks.AsWritten = s[rankClassesAxis] == variant.Word(rankClasses[1])
	options.Ranks.Loop = RankLoop(max(0, indexOf(rankLoopKinds, s[rankLoopAxis])))
	options.Ranks.Async = s[rankMessagesAxis] == variant.Word(rankMessages[1])
	options.Ranks.Steps = 1 << max(0, indexOf(rankSteps, s[rankStepsAxis]))
	return options
}

// RankStarts are settings that a session begins with, beside the models' own.
var RankStarts = []string{"classes=source", "classes=source messages=overlap", "classes=source ranks=inner", "classes=source steps=4"}
